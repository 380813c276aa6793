import {
  closeSync,
  constants,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { hasCode, isFlushRefused } from "./file-system.ts";

/**
 * Small files in the agent's own data folder, written synchronously, because handing each small step to another thread
 * takes many times as long as the step. Only flushes are asynchronous. Never for files of jobs: their folders may be
 * shares that do not answer, and that would block the agent's event loop.
 */

const onlyMine = { file: 0o600, folder: 0o700 };

export const makeOwnFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: onlyMine.folder });
};

/** Survives the end of this process, but not a power cut a moment later. */
export const writeOwnFile = (path: string, text: string): void => {
  writeFileSync(path, text, { mode: onlyMine.file });
};

/** Where a file is until it is complete. A disk that fails may leave it there. */
export const newNameOf = (path: string): string => `${path}.new`;

/** Resolves when the file survives a power cut: it is complete, or as it was before. */
export const writeDurably = async (path: string, text: string): Promise<void> => {
  const temp = newNameOf(path);
  try {
    await flushed(temp, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, text);
    renameSync(temp, path);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
  await flushOwnFolder(dirname(path));
};

/** Makes the names in it durable. */
export const flushOwnFolder = async (path: string): Promise<void> => {
  // Windows cannot open folders; it makes names durable itself.
  if (process.platform !== "win32") await flushed(path, constants.O_RDONLY).catch(unlessRefused);
};

const unlessRefused = (error: unknown): void => {
  if (!isFlushRefused(error)) throw error;
};

/** Does nothing if it does not exist. */
export const removeOwnFile = (path: string): void => removeBy(unlinkSync, path);

/** The same for a folder, which is usually empty. */
export const removeOwnFolder = (path: string): void => removeBy(rmdirSync, path);

const flush = promisify(fsync);

const flushed = async (path: string, flags: number, text = ""): Promise<void> => {
  const file = openSync(path, flags, onlyMine.file);
  try {
    for (let left = Buffer.from(text); left.length > 0; ) left = left.subarray(writeSync(file, left));
    await flush(file);
  } finally {
    closeSync(file);
  }
};

const removeBy = (remove: (path: string) => void, path: string): void => {
  try {
    remove(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  }
};
