import { type FileHandle, open } from "node:fs/promises";
import { directSize, openDirect, pieces, writeDirect } from "./direct-file.ts";

/** A new file. It is written and flushed while its source is read, so that little is left to wait for at the end. */
export type FlushedFile = AsyncDisposable & {
  /** The caller may use the bytes' memory again afterwards. */
  append(bytes: Uint8Array): Promise<void>;
  /** Lets `read` put bytes directly into the file's own memory, which saves a copy. Resolves with their number. */
  fill(read: (memory: Uint8Array) => Promise<number>): Promise<number>;
  /** Resolves when every byte is written, for a file that need not survive a power cut. */
  end(): Promise<void>;
  /** Resolves when every byte is on disk. */
  flush(): Promise<void>;
};

/** Maximum bytes of one `fill`: between fills the caller reports progress, keeps to a limit and may be suspended. */
const mostAtOnce = 1024 * 1024;
/**
 * Bytes that are written into the cache in one call. For larger calls Linux allocates larger blocks, which takes long
 * when memory is fragmented.
 */
const cachedSize = 256 * 1024;
/** Bytes between two flushes: enough that the disk writes long runs, and few enough that it starts early. */
const flushEvery = 64 * 1024 * 1024;

/** Creates the file; its name must be free. `isFlushed: false` is for callers that wait only for `end`. */
export const createFlushedFile = async (
  path: string,
  { isFlushed = true }: { readonly isFlushed?: boolean } = {},
): Promise<FlushedFile> => {
  const file = await open(path, "wx");
  const write = createWrite(file, isFlushed);
  let [piece, next]: (Uint8Array | undefined)[] = [];
  let [gathered, position] = [0, 0];
  let writing: Promise<void> = Promise.resolve();

  /** Borrowed only when needed: a small file uses one piece, an empty one none. */
  const gathering = (): Uint8Array => {
    piece ??= pieces.lend();
    return piece;
  };
  const writePiece = async (): Promise<void> => {
    await writing;
    writing = write.piece(gathering().subarray(0, gathered), position);
    writing.catch(() => undefined); // reported with the next piece, or at the end
    position += gathered;
    gathered = 0;
    [piece, next] = [next, piece];
  };
  const end = async (): Promise<void> => {
    if (gathered > 0) await writePiece();
    await writing;
    await write.end();
  };
  return {
    append: async (bytes) => {
      for (let at = 0; at < bytes.length; ) {
        const memory = gathering();
        const part = bytes.subarray(at, at + memory.length - gathered);
        memory.set(part, gathered);
        gathered += part.length;
        at += part.length;
        if (gathered === memory.length) await writePiece();
      }
    },
    fill: async (read) => {
      const memory = gathering();
      const bytes = await read(memory.subarray(gathered, gathered + mostAtOnce));
      gathered += bytes;
      if (gathered === memory.length) await writePiece();
      return bytes;
    },
    end,
    flush: async () => {
      await end();
      await file.sync();
    },
    [Symbol.asyncDispose]: async () => {
      await writing.catch(() => undefined); // a caller that disposes without `end` or `flush` abandons the file
      for (const memory of [piece, next]) if (memory) pieces.giveBack(memory);
      await Promise.all([write.close(), file.close()]);
    },
  };
};

/** How a piece gets into the file. `end` throws if an early flush failed. */
type Write = {
  piece(bytes: Uint8Array, position: number): Promise<void>;
  end(): Promise<void>;
  close(): Promise<void>;
};

/** A multiple of every disk's block size. */
const diskBlock = 64 * 1024;

/** Writes whole pieces past the cache. The rest goes through it, and everything if the file system cannot do that. */
const createWrite = (file: FileHandle, isFlushed: boolean): Write => {
  const aside = createAside();
  let direct: Promise<FileHandle | undefined> | undefined;
  let unflushed = 0;
  const writeCached = async (bytes: Uint8Array, position: number): Promise<void> => {
    aside.refuseFailed();
    await writeAll(file, bytes, position);
    unflushed += bytes.length;
    if (isFlushed && unflushed >= flushEvery && aside.start(() => file.datasync())) unflushed = 0;
  };
  return {
    piece: async (bytes, position) => {
      const isWhole = bytes.length === directSize && position % diskBlock === 0;
      if (isWhole) direct ??= openDirect(file);
      const past = isWhole ? await direct : undefined;
      const written = past ? await writeDirect(past, bytes, position) : 0;
      if (written < bytes.length) await writeCached(bytes.subarray(written), position + written);
    },
    end: async () => {
      await aside.ended();
      aside.refuseFailed();
    },
    close: async () => {
      await aside.ended();
      await (await direct?.catch(() => undefined))?.close();
    },
  };
};

const writeAll = async (file: FileHandle, bytes: Uint8Array, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, Math.min(cachedSize, bytes.length - done), position + done)).bytesWritten;
};

/** Runs one task at a time in the background. Keeps its failure: the system reports a failed flush only once. */
const createAside = () => {
  let running: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;
  return {
    /** False if the last one is still running. */
    start: (task: () => Promise<void>): boolean => {
      if (running) return false;
      running = task()
        .catch((error) => {
          failure ??= { error };
        })
        .finally(() => {
          running = undefined;
        });
      return true;
    },
    ended: async (): Promise<void> => {
      await running;
    },
    refuseFailed: (): void => {
      if (failure) throw failure.error;
    },
  };
};
