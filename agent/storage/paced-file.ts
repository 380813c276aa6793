import { open } from "node:fs/promises";
import type { Writable } from "node:stream";
import type { Pace } from "./byte-throttle.ts";

export type PacedFile = {
  readonly path: string;
  readonly from?: number;
  readonly pace: Pace;
  /** The number of bytes read so far. */
  readonly onBytes: (bytes: number) => void;
};

/**
 * Sends a local file, as fast as it may be sent. `write` resolves when its bytes' memory may be used again: with two such
 * pieces the next one is read meanwhile, and nothing is left to the collector of garbage.
 */
export const sendFile = async (
  { path, from = 0, pace, onBytes }: PacedFile,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> => {
  await using file = await open(path, "r");
  let [memory, other] = [Buffer.allocUnsafeSlow(pace.most), Buffer.allocUnsafeSlow(pace.most)];
  let writing: Promise<void> = Promise.resolve();
  for (let sent = 0; ; ) {
    const { bytesRead } = await file.read(memory, 0, memory.length, from + sent);
    await writing;
    onBytes(sent);
    if (bytesRead === 0) return;
    await pace.take(bytesRead);
    writing = write(memory.subarray(0, bytesRead));
    writing.catch(() => undefined); // reported with the next piece
    sent += bytesRead;
    [memory, other] = [other, memory];
  }
};

/** Resolves when the bytes' memory may be used again. */
export const writeTo = (stream: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => void stream.write(bytes, (error) => (error ? reject(error) : resolve())));
