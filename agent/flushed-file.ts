import { open } from "node:fs/promises";

/** A new file that is written and flushed beside its source's next bytes, so that its end has little left to wait for. */
export type FlushedFile = AsyncDisposable & {
  /** The caller may use the bytes' memory again afterwards. */
  append(bytes: Uint8Array): Promise<void>;
  /** Lets `read` put bytes into memory of the file's own, and resolves with their number: what has no bytes yet saves a copy. */
  fill(read: (memory: Uint8Array) => Promise<number>): Promise<number>;
  /** Resolves when every byte is written, for a file that need not survive a power cut. */
  end(): Promise<void>;
  /** Resolves when every byte is on disk. */
  flush(): Promise<void>;
};

/**
 * Written in one call, while the next piece is gathered: sockets give bytes in smaller ones. Of larger ones the system
 * makes larger blocks of its cache, for which it searches long on a machine that has been up for a while.
 */
const pieceSize = 256 * 1024;
/** Large enough that the disk writes long runs, small enough that it begins early. */
const flushEvery = 64 * 1024 * 1024;

/** The name must be free. A file of which only the end is awaited need not be flushed early either. */
export const createFlushedFile = async (
  path: string,
  { isFlushed = true }: { readonly isFlushed?: boolean } = {},
): Promise<FlushedFile> => {
  const file = await open(path, "wx");
  const aside = createAside();
  let [piece, next] = [Buffer.allocUnsafe(pieceSize), Buffer.allocUnsafe(pieceSize)];
  let [gathered, position, unflushed] = [0, 0, 0];
  let writing: Promise<void> = Promise.resolve();

  const writePiece = async (): Promise<void> => {
    await writing;
    aside.refuseFailed();
    writing = writeAll(file, piece.subarray(0, gathered), position);
    writing.catch(() => undefined); // reported with the next piece, or at the end
    position += gathered;
    unflushed += gathered;
    gathered = 0;
    [piece, next] = [next, piece];
    if (isFlushed && unflushed >= flushEvery && aside.start(() => file.datasync())) unflushed = 0;
  };
  const end = async (): Promise<void> => {
    await writePiece();
    await writing;
    await aside.ended();
    aside.refuseFailed();
  };
  return {
    append: async (bytes) => {
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + pieceSize - gathered);
        piece.set(part, gathered);
        gathered += part.length;
        at += part.length;
        if (gathered === pieceSize) await writePiece();
      }
    },
    fill: async (read) => {
      const bytes = await read(piece.subarray(gathered));
      gathered += bytes;
      if (gathered === pieceSize) await writePiece();
      return bytes;
    },
    end,
    flush: async () => {
      await end();
      await file.sync();
    },
    [Symbol.asyncDispose]: async () => {
      await writing.catch(() => undefined); // whoever disposes without a flush gives the file up
      await aside.ended();
      await file.close();
    },
  };
};

type Handle = Awaited<ReturnType<typeof open>>;

const writeAll = async (file: Handle, bytes: Buffer, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length; )
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
};

/** One task at a time beside others. Its failure is kept: the system reports a failed flush only once. */
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
