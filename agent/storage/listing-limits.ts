import { TaskError } from "../../shared/model/failure.ts";
import type { Entry } from "./storage.ts";

/** Names of one folder that are kept in memory at a time. */
export const mostNames = 1_000_000;

export const tooManyNames = (folder: string): TaskError =>
  new TaskError("storage", `${folder} holds more than ${mostNames.toLocaleString("en")} names`);

/** All names of a folder. Throws TaskError `storage` if there are too many. */
export const namesIn = async (folder: string, entries: AsyncIterable<Entry>): Promise<string[]> => {
  const names: string[] = [];
  for await (const { name } of entries) {
    names.push(name);
    if (names.length > mostNames) throw tooManyNames(folder);
  }
  return names;
};

/** A hundred million files, as services list a thousand at a time. */
const mostPages = 100_000;

/**
 * Follows the marks with which a service continues its listing. A service that gives a mark twice, or always another
 * one, would be listed for ever: TaskError `storage`.
 */
export const createMarks = (uri: string) => {
  const seen = new Set<string>();
  return {
    refuseRepeated: (mark: string | undefined): void => {
      if (mark === undefined) return;
      if (seen.has(mark))
        throw new TaskError("storage", `${uri}: the service lists the same files again and again; check the service`);
      seen.add(mark);
      if (seen.size > mostPages) throw new TaskError("storage", `${uri}: the listing does not end; check the service`);
    },
  };
};
