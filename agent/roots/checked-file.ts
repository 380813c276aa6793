import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import { isFarmDatabase, markedBytes } from "../../shared/files/data-folder.ts";
import { definitionError, sourceError, TaskError } from "../../shared/model/failure.ts";
import { hasCode, statIfThere } from "../disk/file-system.ts";

/** Tells a file from any other of this node, whatever its name. */
export type FileId = string;

/** A checked file of this node. */
export type LocalFile = {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  readonly id: FileId;
};

/** The file is there, but not for this node. */
export class UnreadableError extends TaskError {
  constructor(path: string) {
    super("source", `this node has no permission to read ${path}`);
    this.name = "UnreadableError";
  }
}

/**
 * Opens a file by its checked real path. Throws TaskError `source` where another file has taken that path since: a folder on
 * the way, or the file, may have been exchanged for a link. Linux tells where a descriptor leads; elsewhere the path is
 * resolved once more, which leaves a moment between the two.
 */
export const openChecked = async (path: string, id?: FileId): Promise<FileHandle> => {
  const file = await openPlainly(path);
  try {
    if (await holdsFarm(file))
      throw definitionError(`${path} is the database of a farm or a backup of one, which no job may read`);
    const isSame = id === undefined ? (await locationFrom(file, path)) === path : fileIdFrom(await file.stat()) === id;
    if (isSame) return file;
    throw sourceError(`${path} was exchanged for another file while it was being opened`);
  } catch (error) {
    await file.close();
    throw error;
  }
};

/** Backups lie wherever their operator wants them, often on storage that is lent. */
const holdsFarm = async (file: FileHandle): Promise<boolean> => {
  if (!(await file.stat()).isFile()) return false;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(markedBytes), 0, markedBytes, 0);
  return isFarmDatabase(buffer.subarray(0, bytesRead));
};

export const fileIdFrom = ({ dev, ino }: { readonly dev: number; readonly ino: number }): FileId => `${dev}:${ino}`;

type Descriptor = Pick<FileHandle, "fd">;

/** Whether the file of this name has the size and time that were seen. */
export const isUnchanged = async ({ path, size, modified }: Seen): Promise<boolean> => {
  const now = await statIfThere(path);
  return now?.size === size && Math.floor(now.mtimeMs) === modified;
};

type Seen = { readonly path: string; readonly size: number; readonly modified: number };

/** A path that opens what the descriptor has open; the file's own where the system has no such paths. */
export const pathOfDescriptor = ({ fd }: Descriptor, path: string): string =>
  process.platform === "linux" ? `/proc/self/fd/${fd}` : path;

const openPlainly = async (path: string): Promise<FileHandle> => {
  try {
    // A pipe without a writer must not keep anybody waiting.
    return await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM")) throw new UnreadableError(path);
    if (hasCode(error, "ENOENT", "ENOTDIR")) throw sourceError(`no such file: ${path}`);
    if (hasCode(error, "ENXIO")) throw sourceError(`${path} is not a regular file`);
    throw error;
  }
};

/** The real path of what the descriptor has open, as far as the system tells. */
export const locationFrom = async (file: Descriptor, path: string): Promise<string> => {
  if (process.platform === "linux") return readlink(pathOfDescriptor(file, path));
  return realpath(path);
};
