import { writeFile } from "node:fs/promises";
import type { ResolvedPaths } from "./path-resolver.ts";

/** Whether some input is joined of more files than a command has room for. */
export const needsLists = ({ inputs }: ResolvedPaths): boolean =>
  [...inputs.values()].some(({ list }) => list !== undefined);

/** Writes the names of such files where the commands look for them, in a folder of the attempt's own. */
export const writeInputLists = async ({ inputs }: ResolvedPaths): Promise<void> => {
  for (const { list } of inputs.values()) if (list) await writeFile(list.path, list.text, { mode: 0o600 });
};
