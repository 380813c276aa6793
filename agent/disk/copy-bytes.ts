import { open } from "node:fs/promises";
import { createFlushedFile } from "./flushed-file.ts";

export type CopyBytes = {
  readonly from: string;
  /** Must not exist. */
  readonly to: string;
  readonly signal: AbortSignal;
  /** Resolves when so many more bytes may be copied: a copy may be limited, and is suspended with the other work. */
  readonly pace?: (bytes: number) => Promise<void>;
  readonly onPosition: (bytes: number) => void;
};

/** Copies all bytes of a file into a new one, which is flushed to disk when this resolves. */
export const copyBytes = async ({ from, to, signal, pace, onPosition }: CopyBytes): Promise<void> => {
  await using source = await open(from, "r");
  await using target = await createFlushedFile(to);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    const bytes = await target.fill(
      async (memory) => (await source.read(memory, 0, memory.length, position)).bytesRead,
    );
    if (bytes === 0) break;
    position += bytes;
    onPosition(position);
    await pace?.(bytes);
  }
  await target.flush();
};
