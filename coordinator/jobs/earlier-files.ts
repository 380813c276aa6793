import { instanceName } from "../../media/instances/path.ts";
import { redactText } from "../../shared/credentials/redact.ts";
import type { Published } from "../../shared/work/work.ts";
import type { TaskRow } from "../store/rows.ts";

/** Files that a job tells of; the others are counted. */
export const mostTold = 100;

const between = " was published by an earlier plan of ";
const others = "More files that earlier plans published, and that are not named here:";

type Publisher = Pick<TaskRow, "element_uid" | "path" | "purpose"> & { readonly published: Published | undefined };

/**
 * The job's warnings, with the files that these tasks have published: their elements are planned again, so the result no longer
 * lists them. Nothing is deleted: others may use the files by now, and the new plan may publish the same again.
 */
export const withEarlierFiles = (warnings: readonly string[], leaving: readonly Publisher[]): string[] => {
  const known = warnings.filter(isOfFile);
  const all = [...new Set([...known, ...leaving.filter(staysBehind(leaving)).flatMap(linesOf)])];
  const told = all.slice(0, mostTold);
  const more = countIn(warnings) + all.length - told.length;
  // In front: a job keeps only so many warnings.
  return [...told, ...(more > 0 ? [`${others} ${more}`] : []), ...warnings.filter((each) => !isOurs(each))];
};

/** The warnings without the files that these tasks have published now. */
export const withoutPublished = (warnings: readonly string[], own: readonly Publisher[]): readonly string[] => {
  if (!warnings.some(isOfFile)) return warnings;
  const now = new Set(own.flatMap(urisOf));
  return warnings.filter((each) => !isOfFile(each) || !now.has(uriOf(each)));
};

/** Sections of a transcode are removed once they were combined. */
const staysBehind = (leaving: readonly Publisher[]) => {
  const combined = new Set(
    leaving.flatMap((task) => (task.purpose === "work" && task.published ? [nameOf(task)] : [])),
  );
  return (task: Publisher): boolean => task.purpose === "work" || !combined.has(nameOf(task));
};

const nameOf = ({ element_uid, path }: Publisher): string => instanceName(element_uid, path);

const urisOf = ({ published }: Publisher): string[] =>
  Object.values(published?.outputs ?? {}).flatMap((files) => files.map(({ uri }) => redactText(uri)));

const linesOf = (task: Publisher): string[] => urisOf(task).map((uri) => `${uri}${between}${nameOf(task)}`);

const isOfFile = (warning: string): boolean => warning.includes(between);
const isOurs = (warning: string): boolean => isOfFile(warning) || warning.startsWith(others);
const countIn = (warnings: readonly string[]): number =>
  warnings.reduce((sum, each) => sum + (each.startsWith(others) ? Number(each.slice(others.length)) : 0), 0);

const uriOf = (warning: string): string => warning.slice(0, warning.lastIndexOf(between));
