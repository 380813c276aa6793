import { open } from "node:fs/promises";
import { Readable, type Writable } from "node:stream";
import { sourceError } from "../../shared/model/failure.ts";
import type { Pace } from "./byte-throttle.ts";

export type PacedFile = {
  readonly path: string;
  readonly from: number;
  /** Exactly so many bytes are sent, whatever somebody does to the file meanwhile. */
  readonly length: number;
  readonly pace: Pace;
  /** The number of bytes sent so far. */
  readonly onBytes: (bytes: number) => void;
};

/**
 * Sends bytes of a local file, as fast as they may be sent. `write` resolves when its bytes' memory may be used again: with
 * two such pieces the next one is read meanwhile, and nothing is left to the garbage collector.
 */
export const sendFile = async (
  { path, from, length, pace, onBytes }: PacedFile,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<void> => {
  await using file = await open(path, "r");
  const size = Math.min(pace.most, length);
  let [memory, other] = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(size)];
  let writing: Promise<void> = Promise.resolve();
  for (let sent = 0; ; ) {
    const { bytesRead } = await file.read(memory, 0, Math.min(size, length - sent), from + sent);
    await writing;
    onBytes(sent);
    if (sent === length) return;
    if (bytesRead === 0) throw sourceError(`${path} became shorter while it was sent`);
    await pace.take(bytesRead);
    writing = write(memory.subarray(0, bytesRead));
    writing.catch(() => undefined); // reported with the next piece
    sent += bytesRead;
    [memory, other] = [other, memory];
  }
};

/**
 * A file for libraries that pipe streams. It writes straight into what it is piped into, because only that tells when
 * memory may be used again. If sending fails, that stream is destroyed with the error.
 */
export const pipedFile = (file: PacedFile): Readable => new PipedFile(file);

class PipedFile extends Readable {
  readonly #file: PacedFile;

  constructor(file: PacedFile) {
    super({ read: () => undefined });
    this.#file = file;
  }

  override pipe<T extends NodeJS.WritableStream>(into: T, { end = true }: { end?: boolean | undefined } = {}): T {
    const stream = into as NodeJS.WritableStream as Writable; // sockets and requests are, which the declaration leaves open
    sendInto(stream, this.#file).then(
      () => {
        this.push(null);
        this.resume(); // or nobody hears of its end
        if (end) stream.end();
      },
      (error) => stream.destroy(error),
    );
    return into;
  }
}

const sendInto = (stream: Writable, file: PacedFile): Promise<void> => {
  const closed = new Promise<never>((_, reject) => {
    stream.once("close", () => reject(new Error("the connection was closed")));
  });
  closed.catch(() => undefined); // after everything is sent it closes too
  return sendFile(file, (bytes) => Promise.race([writeTo(stream, bytes), closed]));
};

const writeTo = (stream: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => void stream.write(bytes, (error) => (error ? reject(error) : resolve())));
