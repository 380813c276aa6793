import type { FileHandle } from "node:fs/promises";
import type { Writing } from "../hidden-names.ts";
import type { ByteRange } from "../storage.ts";
import type { Connection } from "./connect.ts";

/** Servers accept no more in one message; many messages are in flight at a time, so latency costs little. */
const chunkSize = 32 * 1024;
const ahead = 64;

const openFile = ({ call, sftp }: Connection, path: string, flags: "r" | "w" | "r+"): Promise<Buffer> =>
  call<Buffer>((done) => sftp.open(path, flags, done));

/** A broken connection has already closed it. */
const closeFile = ({ call, sftp }: Connection, handle: Buffer): Promise<void> =>
  call<void>((done) => sftp.close(handle, (error) => done(error, undefined))).catch(() => undefined);

/** Bytes of a file in order, requested well before they are needed. */
export async function* readAhead(
  connection: Connection,
  path: string,
  { from, length = Number.POSITIVE_INFINITY }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const handle = await openFile(connection, path, "r");
  const end = from + length;
  const waiting: Promise<Buffer>[] = [];
  let next = from;
  const ask = (): void => {
    while (waiting.length < ahead && next < end) {
      const size = Math.min(chunkSize, end - next);
      const answer = readOnce(connection, handle, next, size);
      answer.catch(() => undefined); // reported when its turn comes, if it is still needed
      waiting.push(answer);
      next += size;
    }
  };
  try {
    for (let at = from; at < end; ) {
      signal.throwIfAborted();
      ask();
      const bytes = (await waiting.shift()) ?? Buffer.alloc(0);
      if (bytes.length === 0) return;
      yield bytes;
      at += bytes.length;
      if (bytes.length === Math.min(chunkSize, end - (at - bytes.length))) continue;
      waiting.length = 0; // it returned less than requested: the rest is requested again
      next = at;
    }
  } finally {
    await Promise.allSettled(waiting);
    await closeFile(connection, handle);
  }
}

/** Empty at the end of the file. */
const readOnce = ({ call, sftp }: Connection, handle: Buffer, position: number, size: number): Promise<Buffer> =>
  call<Buffer>((done) => {
    const buffer = Buffer.allocUnsafe(size);
    sftp.read(handle, buffer, 0, size, position, (error, bytesRead) => {
      const isEnd = error && "code" in error && error.code === endOfFile;
      done(isEnd ? undefined : error, isEnd ? Buffer.alloc(0) : buffer.subarray(0, bytesRead));
    });
  });

/** The protocol's code for it. */
const endOfFile = 1;

type Sent = Pick<Writing, "from" | "signal" | "pace" | "onBytes"> & { readonly source: FileHandle };

/** Writes the bytes of a local file into a new remote one; from an offset on, into the one that is there. */
export const writeAhead = async (
  connection: Connection,
  path: string,
  { source, from, signal, pace, onBytes }: Sent,
): Promise<void> => {
  const handle = await openFile(connection, path, from > 0 ? "r+" : "w");
  const waiting: Promise<void>[] = [];
  let done = 0;
  try {
    for (let at = from; ; ) {
      signal.throwIfAborted();
      const { bytesRead, buffer } = await source.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize, at);
      if (bytesRead === 0) break;
      await pace.take(bytesRead);
      const position = at;
      const written = connection
        .call<void>((told) =>
          connection.sftp.write(handle, buffer, 0, bytesRead, position, (error) => told(error, undefined)),
        )
        .then(() => {
          done += bytesRead;
          onBytes(done);
        });
      written.catch(() => undefined); // reported when its turn comes
      waiting.push(written);
      at += bytesRead;
      if (waiting.length >= ahead) await waiting.shift();
    }
    await Promise.all(waiting);
  } finally {
    await Promise.allSettled(waiting);
    await closeFile(connection, handle);
  }
};
