import { readFileSync } from "node:fs";

const pageBytes = 4096;

/** Bytes of memory that a program holds now; undefined if the system does not say or the program has ended. */
export const memoryOf = (pid: number): number | undefined => {
  try {
    const [, resident] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
    return resident === undefined ? undefined : Number(resident) * pageBytes;
  } catch {
    return undefined;
  }
};

/** What these programs hold together; undefined where that is known of none. */
export const memoryOfAll = (pids: readonly number[], memory = memoryOf): number | undefined => {
  const known = pids.map(memory).filter((bytes) => bytes !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, bytes) => sum + bytes, 0);
};
