import { joinUri } from "../../shared/files/location.ts";
import {
  type Intent,
  type IntentFile,
  isFolder,
  type Output,
  type Published,
  type Work,
} from "../../shared/work/work.ts";

/**
 * Describes a file of an intent that none of the task's outputs can make; undefined if there is none. If it were
 * granted, a node could publish anything as this task's work.
 */
export const findForeignFile = ({ files }: Intent, work: Work | undefined): string | undefined => {
  const stranger = files.find((file) => !isOf(work?.outputs[file.output], file));
  return stranger && `The node asked to publish ${stranger.final}, which its task does not make`;
};

const isOf = (output: Output | undefined, { final }: IntentFile): boolean => {
  if (!output) return false;
  const folder = `${output.folder.replace(/\/+$/, "")}/`;
  const names = final.startsWith(folder) ? final.slice(folder.length).split("/") : [];
  if (names.length === 0 || names.some((name) => ["", ".", ".."].includes(name.replaceAll(/%2e/gi, ".")))) return false;
  if (isFolder(output)) return true;
  // If a name is taken, the node chooses another one.
  return names.length === 1 && (output.existing === "rename_new" || final === joinUri(output.folder, output.name));
};

export type ReportClaims = {
  readonly isGranted: boolean;
  /** The task's last intent. */
  readonly intent: Intent | undefined;
  readonly work: Work | undefined;
};

/**
 * Describes what is wrong with a reported success; undefined if it is right: it lists exactly the granted files, and
 * facts only about files that its task probed.
 */
export const findContradiction = (told: ReportClaims, published: Published): string | undefined =>
  wrongOutput(told, published) ?? foreignFinding(told.work, published);

const wrongOutput = ({ isGranted, intent, work }: ReportClaims, { outputs }: Published): string | undefined => {
  const shown = new Set(Object.values(outputs).flatMap((files) => files.map(({ uri }) => uri)));
  // Files that an earlier attempt was granted and had published need no new grant.
  const isEarlier = !isGranted && intent !== undefined && shown.size > 0;
  if (!isGranted && !isEarlier) {
    if (shown.size > 0) return "The node reported outputs that it was never granted to publish";
    const [missing] = Object.values(work?.outputs ?? {});
    return missing && `The node reported success, but made nothing of ${missing.name}`;
  }
  const missing = (intent?.files ?? []).find(({ final }) => !shown.delete(final));
  if (missing) return `The node reported success, but not the ${missing.final} that it was granted to publish`;
  const [stranger] = shown;
  return stranger && `The node reported ${stranger}, which it was not granted to publish`;
};

/** Facts are kept for the whole farm: with facts about other files, a node could make other jobs fail or go wrong. */
const foreignFinding = (work: Work | undefined, { found }: Published): string | undefined => {
  const looked = new Map((work?.steps ?? []).map((step) => [step.id, "asset" in step ? step.asset : undefined]));
  const [foreign] = Object.entries(found).filter(([stepId, { file }]) => {
    const asset = looked.get(stepId);
    return asset === undefined || file.uri !== work?.assets[asset]?.uri;
  });
  return (
    foreign && `The node reported facts about ${foreign[1].file.uri.slice(0, 500)}, which its task does not look at`
  );
};
