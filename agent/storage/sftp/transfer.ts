import type { Writing } from "../hidden-names.ts";
import { sendFile } from "../paced-file.ts";
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

/** Writes a local file into a new remote one; from an offset on, into the one that is there. */
export const writeAhead = async (connection: Connection, path: string, { file, signal }: Writing): Promise<void> => {
  const handle = await openFile(connection, path, file.from > 0 ? "r+" : "w");
  const waiting: Promise<void>[] = [];
  let position = file.from;
  const write = async (bytes: Uint8Array): Promise<void> => {
    for (let at = 0; at < bytes.length; at += chunkSize) {
      signal.throwIfAborted();
      if (waiting.length >= ahead) await waiting.shift();
      const chunk = bytes.subarray(at, at + chunkSize);
      const written = writeOnce(connection, handle, position, chunk);
      written.catch(() => undefined); // reported when its turn comes
      waiting.push(written);
      position += chunk.length;
    }
  };
  try {
    await sendFile(file, write);
    await Promise.all(waiting);
  } finally {
    await Promise.allSettled(waiting);
    await closeFile(connection, handle);
  }
};

/** The library copies the bytes into its message at once, so their memory may be used again. */
const writeOnce = ({ call, sftp }: Connection, handle: Buffer, position: number, bytes: Uint8Array): Promise<void> =>
  call<void>((done) =>
    sftp.write(handle, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length, position, (error) =>
      done(error, undefined),
    ),
  );
