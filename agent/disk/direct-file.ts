import { constants, type FileHandle, open, statfs } from "node:fs/promises";
import { hasCode } from "./file-system.ts";

/** The part of WebAssembly that is used here. TypeScript declares it only for browsers. */
declare const WebAssembly: {
  readonly Memory: new (pages: {
    readonly initial: number;
    readonly maximum: number;
  }) => { readonly buffer: ArrayBuffer };
};

/** Bytes that are written past the cache in one call. */
export const directSize = 4 * 1024 * 1024;
/** Bytes of the pieces that are lent once all large ones are in use. They are written through the cache. */
const smallSize = 256 * 1024;
/** The maximum number of large pieces in use, and of unused ones that are kept. */
const [mostLent, mostUnused] = [32, 8];

/**
 * Memory for pieces of files. Writing past the system's cache needs memory that is aligned to pages; in JavaScript only
 * a WebAssembly memory guarantees that.
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
    return undefined; // each reserves gigabytes of address space, which may be limited
  }
};

const wasmPage = 65_536;

/** File systems on which writing large pieces past the cache is fast, by their type in statfs(2): ext4 and XFS. */
const able: ReadonlySet<number> = new Set([0xef53, 0x58465342]);

/**
 * Opens a file again, to write large pieces past the system's cache. So they push nothing out of the cache that the
 * machine's owner works with, and nothing of them is left to flush at the end. Undefined if this system or file system
 * is not known to do that well.
 */
export const openDirect = async (file: FileHandle): Promise<FileHandle | undefined> => {
  if (process.platform !== "linux") return undefined;
  const path = `/proc/self/fd/${file.fd}`;
  try {
    if (able.has((await statfs(path)).type)) return await open(path, constants.O_WRONLY | constants.O_DIRECT);
  } catch {
    // /proc may be missing or closed. A problem of the file itself shows when it is written through the cache.
  }
  return undefined;
};

/** Returns how many bytes were written: perhaps fewer than given, and 0 if the device needs other sizes. */
export const writeDirect = (file: FileHandle, bytes: Uint8Array, position: number): Promise<number> =>
  file
    .write(bytes, 0, bytes.length, position)
    .then(({ bytesWritten }) => bytesWritten)
    .catch((error) => {
      if (hasCode(error, "EINVAL")) return 0;
      throw error;
    });
