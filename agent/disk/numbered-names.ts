import { readdir } from "node:fs/promises";
import { hasCode } from "./file-system.ts";

/** The names that match a pattern with one `%d` or `%0Nd`, in the order of their numbers. */
export const listSequence = (names: readonly string[], pattern: string): string[] => {
  const parts = pattern.split(/%0?\d*d/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const belongs = new RegExp(`^${parts.join("\\d+")}$`);
  return names.filter((name) => belongs.test(name)).sort(byNumber);
};

export const byNumber = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/** All names in a folder; none if the folder is missing. */
export const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
};
