import { constants, type FileHandle, open, statfs } from "node:fs/promises";
import { hasCode } from "./disk.ts";

/** What of it is used; its declaration comes with browsers. */
declare const WebAssembly: {
  readonly Memory: new (pages: {
    readonly initial: number;
    readonly maximum: number;
  }) => { readonly buffer: ArrayBuffer };
};

/** Written past the cache in one call. */
export const directSize = 4 * 1024 * 1024;
/** What is lent where many files are written at once; it goes through the cache. */
const smallSize = 256 * 1024;
/** Of large pieces: those in use, and those that are kept to be lent again. */
const [mostLent, mostUnused] = [32, 8];

/**
 * Memory for pieces of files, in whole pages, as writing past the system's cache wants it: a WebAssembly memory begins
 * at a page, which no other memory of JavaScript promises.
 */
export const pieces = {
  lend: (): Uint8Array => {
    const large = unused.pop() ?? (lent < mostLent ? newPiece() : undefined);
    if (!large) return Buffer.allocUnsafeSlow(smallSize);
    lent += 1;
    return large;
  },
  giveBack: (piece: Uint8Array): void => {
    if (piece.length !== directSize) return;
    lent -= 1;
    if (unused.length < mostUnused) unused.push(piece);
  },
};

const unused: Uint8Array[] = [];
let lent = 0;

const newPiece = (): Uint8Array | undefined => {
  const pages = directSize / wasmPage;
  try {
    return new Uint8Array(new WebAssembly.Memory({ initial: pages, maximum: pages }).buffer);
  } catch {
    return undefined; // each takes gigabytes of addresses, which may be limited
  }
};

const wasmPage = 65_536;

/** File systems that write large pieces well past the cache, by the number that statfs(2) gives them: ext4 and XFS. */
const able: ReadonlySet<number> = new Set([0xef53, 0x58465342]);

/**
 * Opens a file once more, to write large pieces past the system's cache: they displace nothing that the owner of the
 * machine works with, need no memory that has to be found first, and leave nothing for the end to flush. Undefined where
 * the system or the file system is not known to do that well.
 */
export const openDirect = async (file: FileHandle): Promise<FileHandle | undefined> => {
  if (process.platform !== "linux") return undefined;
  const path = `/proc/self/fd/${file.fd}`;
  try {
    if (able.has((await statfs(path)).type)) return await open(path, constants.O_WRONLY | constants.O_DIRECT);
  } catch {
    // /proc may be missing or closed; what is wrong with the file itself is found when it is written through the cache
  }
  return undefined;
};

/** The number of bytes written, from the first one on: perhaps not all, and none where the device wants other sizes. */
export const writeDirect = (file: FileHandle, bytes: Uint8Array, position: number): Promise<number> =>
  file
    .write(bytes, 0, bytes.length, position)
    .then(({ bytesWritten }) => bytesWritten)
    .catch((error) => {
      if (hasCode(error, "EINVAL")) return 0;
      throw error;
    });
