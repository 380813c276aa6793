import { open } from "node:fs/promises";
import { createFlushedFile } from "./flushed-file.ts";

const pieceSize = 1024 * 1024;

export type CopyBytes = {
  readonly from: string;
  /** Must not exist. */
  readonly to: string;
  readonly signal: AbortSignal;
  /** Resolves when work may continue: a copy is suspended with the other work. */
  readonly pause?: () => Promise<void>;
  readonly onPosition: (bytes: number) => void;
};

/** Copies all bytes of a file into a new one, which is flushed to disk when this resolves. */
export const copyBytes = async ({ from, to, signal, pause, onPosition }: CopyBytes): Promise<void> => {
  await using source = await open(from, "r");
  await using target = await createFlushedFile(to);
  const buffer = Buffer.alloc(pieceSize);
  for (let position = 0; ; ) {
    signal.throwIfAborted();
    await pause?.();
    const { bytesRead } = await source.read(buffer, 0, pieceSize, position);
    if (bytesRead === 0) break;
    await target.append(buffer.subarray(0, bytesRead));
    position += bytesRead;
    onPosition(position);
  }
  await target.flush();
};
