import { writeFile } from "node:fs/promises";
import type { ResolvedPaths } from "./resolved-paths.ts";

/** Whether an input joins more files than a command line can name. */
export const needsLists = ({ inputs }: ResolvedPaths): boolean =>
  [...inputs.values()].some(({ list }) => list !== undefined);

/** Writes the list files that the commands read, in the attempt's own folder. */
export const writeInputLists = async ({ inputs }: ResolvedPaths): Promise<void> => {
  for (const { list } of inputs.values()) if (list) await writeFile(list.path, list.text, { mode: 0o600 });
};
