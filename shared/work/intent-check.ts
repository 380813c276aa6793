import { namesDatabase } from "../files/data-folder.ts";
import { joinUri, namesBelow } from "../files/location.ts";
import { attemptOfTemp } from "./temp-names.ts";
import { type Intent, type IntentFile, isFolder, type Output, type Work } from "./work.ts";

type Maker = NonNullable<ReturnType<typeof attemptOfTemp>>;

/** Whether a file may wait under a hidden name of this attempt. */
export type MayWait = (file: IntentFile, maker: Maker) => boolean;

/**
 * Describes a file of an intent that none of the task's outputs can make, or that waits where no attempt of the task left
 * it; undefined if there is none. If it were granted, a node could publish anything as this task's work, or have the node
 * that takes the task over rename and remove files of its own.
 */
export const findForeignFile = (
  { files }: Intent,
  work: Pick<Work, "outputs"> | undefined,
  mayWait: MayWait,
): string | undefined => {
  for (const file of files) {
    // A node may name what every object has.
    const output = work && Object.hasOwn(work.outputs, file.output) ? work.outputs[file.output] : undefined;
    if (!output || !isMadeBy(output, file)) return `publish ${file.final}, which its task does not make`;
    if (file.existing !== output.existing) return `publish ${file.final} by another rule than its task's`;
    if (!waitsWell(output, file, mayWait)) return `publish ${file.temp}, which is not what it made of ${file.final}`;
  }
  return undefined;
};

const isMadeBy = (output: Output, { final }: Pick<IntentFile, "final">): boolean => {
  const names = namesBelow(output.folder, final);
  if (names === undefined || names.includes("") || names.some(namesDatabase)) return false;
  if (isFolder(output)) return names.every((name) => attemptOfTemp(name) === undefined);
  const wanted = joinUri(output.folder, output.name);
  return final === wanted || (output.existing === "rename_new" && isNumbered(final, wanted));
};

/** Whether an address is `name_1.ext`, `name_2.ext`, … of `name.ext`: what a node chooses where the name is taken. */
const isNumbered = (uri: string, wanted: string): boolean => {
  const dot = wanted.lastIndexOf(".");
  const end = dot > wanted.lastIndexOf("/") + 1 ? dot : wanted.length;
  const [stem, extension] = [wanted.slice(0, end), wanted.slice(end)];
  if (!uri.startsWith(stem) || !uri.endsWith(extension)) return false;
  return /^(?:_\d{1,5})+$/.test(uri.slice(stem.length, uri.length - extension.length));
};

/** The hidden name lies in the output's own folder. Object stores keep a file as an upload of the final name instead. */
const waitsWell = (output: Output, file: IntentFile, mayWait: MayWait): boolean => {
  const upload = /^(s3:\/\/.+)#upload=.+$/is.exec(file.temp)?.[1];
  if (upload !== undefined) return isMadeBy(output, { final: upload });
  const [hidden = "", ...inside] = namesBelow(output.folder, file.temp) ?? [];
  const maker = attemptOfTemp(hidden);
  if (!maker || inside.includes("") || (inside.length > 0 && !isFolder(output))) return false;
  return mayWait(file, maker);
};
