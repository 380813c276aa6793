import { isDeepStrictEqual } from "node:util";
import { filesListed } from "../../media/results/listing.ts";
import type { ListedFile } from "../../shared/files/file-selection.ts";
import { namesBelow } from "../../shared/files/location.ts";
import type { ImageSequence } from "../../shared/model/asset.ts";
import type { Fence } from "../../shared/protocol/messages.ts";
import { answers } from "../../shared/work/frame-listing.ts";
import { findForeignFile } from "../../shared/work/intent-check.ts";
import { isOnOwnStorage } from "../../shared/work/manifest.ts";
import type { Intent, IntentFile, Published, Step, StepOf, Work } from "../../shared/work/work.ts";

type Asking = {
  readonly fence: Fence;
  readonly work: Work | undefined;
  /** What was granted to an earlier attempt of the task, or to this one. */
  readonly before: Intent | undefined;
};

/**
 * Describes what is wrong with an intent that a node wants to publish; undefined if it is right. Its files are those of its
 * task, and wait under the attempt's own names, or unchanged under those of an intent that was granted before.
 */
export const findForeignIntent = (intent: Intent, { fence, work, before }: Asking): string | undefined => {
  const granted = new Map((before?.files ?? []).map((file) => [file.temp, file]));
  const isGranted = ({ temp, output, size, identity }: IntentFile): boolean => {
    const same = granted.get(temp);
    return same?.output === output && same.size === size && same.identity === identity;
  };
  const wish = findForeignFile(
    intent,
    work,
    (file, { epoch, counter }) => (epoch === fence.epoch && counter === fence.counter) || isGranted(file),
  );
  return wish && `The node asked to ${wish}`;
};

export type ReportClaims = {
  readonly isGranted: boolean;
  /** The task's last intent. */
  readonly intent: Intent | undefined;
  readonly work: Work | undefined;
};

/**
 * Describes what is wrong with a reported success; undefined if it is right: it lists exactly the granted files, and
 * facts about all files that its task probed, and no others.
 */
export const findContradiction = (told: ReportClaims, published: Published): string | undefined =>
  wrongOutput(told, published) ??
  foreignFinding(told.work, published) ??
  foreignAddress(told.work, published) ??
  missingFinding(told.work, published);

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

/** A task that only looks tells of all that it looks at: what is left out would be asked for again and again. */
const missingFinding = (work: Work | undefined, { found }: Published): string | undefined => {
  if (!work || Object.keys(work.outputs).length > 0) return undefined;
  const missing = work.steps.find((step) => isLook(step) && !isTold(step, found[step.id]));
  if (!missing || !("asset" in missing)) return undefined;
  return `The node reported success, but did not tell what it found in ${work.assets[missing.asset]?.uri.slice(0, 500)}`;
};

type Look = StepOf<"probe" | "manifest" | "frames">;
type Finding = Published["found"][string];

const isLook = (step: Step): step is Look => step.do === "probe" || step.do === "manifest" || step.do === "frames";

const isTold = (step: Look, finding: Finding | undefined): boolean => {
  if (!finding) return false;
  if (step.do === "manifest") return finding.manifest !== undefined;
  if (step.do === "frames") return finding.frames !== undefined && answers(finding.frames, step.question);
  return isProbed(step, finding);
};

/** Only a file that is as the node was told it would be needs no facts. */
const isProbed = (
  { known }: StepOf<"probe">,
  { unchanged, tool, file: { size, modified, facts } }: Finding,
): boolean =>
  unchanged
    ? known !== undefined && isSame(known, { size, modified, tool })
    : facts !== undefined && size !== undefined && modified !== undefined;

/** What later tasks read by the node's word: other nodes have folders, and the farm has keys, that this one has not. */
const foreignAddress = (work: Work | undefined, { outputs, found, results }: Published): string | undefined => {
  if (Object.values(outputs).some((files) => files.some(({ pieces, images }) => pieces ?? images)))
    return "The node reported an output that is made of other files";
  const assets = new Map((work?.steps ?? []).map((step) => [step.id, "asset" in step ? step.asset : undefined]));
  for (const [stepId, { file, manifest }] of Object.entries(found)) {
    const asset = work?.assets[assets.get(stepId) ?? ""];
    const { pieces = asset?.pieces, images = asset?.images } = file;
    if (!isSame(pieces, asset?.pieces) || !isSameSequence(images, asset?.images))
      return `The node reported other parts of ${file.uri.slice(0, 500)} than it was to look at`;
    if (manifest && !isOnOwnStorage(file.uri, manifest))
      return `The node reported that ${file.uri.slice(0, 500)} refers to another storage`;
  }
  const folders = (work?.steps ?? []).flatMap((step) => (step.do === "list" ? [step.folder] : []));
  const isListed = ({ uri }: ListedFile) => folders.some((folder) => namesBelow(folder, uri) !== undefined);
  const foreign = filesListed(results)?.find((file) => !isListed(file));
  return foreign && `The node reported ${foreign.uri.slice(0, 500)}, which is not in the folder that it was to list`;
};

/** How many pictures there are is for the node to say. */
const isSameSequence = (one: ImageSequence | undefined, other: ImageSequence | undefined): boolean =>
  isSame(one && { ...one, count: 0 }, other && { ...other, count: 0 });

/** As JSON: a field that is undefined is one that is absent. */
const isSame = (one: unknown, other: unknown): boolean => isDeepStrictEqual(asJson(one), asJson(other));

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
