import { open } from "node:fs/promises";
import type { Pace } from "./byte-throttle.ts";

export type PacedFile = {
  readonly path: string;
  readonly from?: number;
  readonly pace: Pace;
  /** The number of bytes read so far. */
  readonly onBytes: (bytes: number) => void;
};

/** Bytes of a local file from an offset on, as fast as they may be sent. */
export async function* pacedFile({ path, from = 0, pace, onBytes }: PacedFile): AsyncGenerator<Buffer> {
  await using file = await open(path, "r");
  for (let sent = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(pace.most), 0, pace.most, from + sent);
    if (bytesRead === 0) return;
    await pace.take(bytesRead);
    yield buffer.subarray(0, bytesRead);
    sent += bytesRead;
    onBytes(sent);
  }
}
