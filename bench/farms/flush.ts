import { execFile } from "node:child_process";
import { promisify } from "node:util";

const sync = (...words: readonly string[]) => promisify(execFile)("sync", words);

/** Resolves when every byte of a file is on disk. */
export const flush = (path: string): Promise<unknown> => sync(path);

/** The same for the whole file system of a path: what was written before costs the next measure nothing. */
export const flushAll = (path: string): Promise<unknown> => sync("--file-system", path);
