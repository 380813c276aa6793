import { readdir } from "node:fs/promises";
import { hasCode } from "./disk.ts";

/** What the files of a sequence are called: its pattern with the one `%d` or `%0Nd` as digits. */
const sequenceNames = (pattern: string): RegExp => {
  const parts = pattern.split(/%0?\d*d/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("\\d+")}$`);
};

/** Names in a folder that belong to the sequence, in the order of their numbers. A missing folder has none. */
export const listSequence = async (folder: string, pattern: string): Promise<string[]> => {
  const names = (await namesIn(folder)).filter((name) => sequenceNames(pattern).test(name));
  return names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
};

/** All names in a folder; of a missing one none. */
export const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
};
