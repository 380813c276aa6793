import { addAbortListener } from "node:events";
import { PassThrough } from "node:stream";
import type { Client } from "basic-ftp";
import type { FtpEntry } from "../../foreign/ftp-listing.ts";
import { type Taken, takeBytes } from "../../outbound/read-memory.ts";
import type { FileServer, Writing } from "../hidden-names.ts";
import { listParentFolders, readHostAddress } from "../host-address.ts";
import { pipedFile } from "../paced-file.ts";
import type { Pool } from "../pool.ts";
import type { ByteRange, Entry, FileStat } from "../storage.ts";
import { failureAt } from "../storage-error.ts";
import { ftpError, isReply } from "./errors.ts";

const pathOf = (uri: string): string => readHostAddress(uri).path;

/** File operations on an FTP server. */
export const createServer = (pool: Pool<Client>): FileServer => ({
  stat: (uri) => pool.use(uri, stat),
  list: (folder) => listFolder(() => pool.use(folder, listNames)),
  read: (uri, range, signal) => readFile(pool, uri, range, signal),
  write: (uri, sending) => pool.use(uri, (client, path) => upload(client, path, sending)),
  makeFolder: (uri) => pool.use(uri, makeFolder),
  move: (from, to) => pool.use(from, (client, path) => rename(client, path, pathOf(to))),
  remove: (uri) => pool.use(uri, remove),
  removeFolder: (uri) => pool.use(uri, removeFolder),
});

const stat = async (client: Client, path: string): Promise<FileStat | undefined> => {
  try {
    const size = await client.size(path);
    const modified = (await client.lastMod(path).catch(() => undefined))?.getTime() ?? 0; // not every server reports it
    return { isFile: true, size, modified };
  } catch (error) {
    if (!isReply(error, 550, 500, 502, 504)) throw error;
    return statByListing(client, path);
  }
};

/** Folders have no size, and some servers do not support SIZE. */
const statByListing = async (client: Client, path: string): Promise<FileStat | undefined> => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const found = (await listNames(client, path.slice(0, path.lastIndexOf("/")) || "/")).find(
    (each) => each.name === name,
  );
  return found && statOf(found);
};

const statOf = (found: FtpEntry): FileStat => ({
  isFile: !found.isDirectory,
  size: found.size,
  modified: found.modifiedAt?.getTime() ?? 0,
});

const listNames = async (client: Client, path: string): Promise<FtpEntry[]> => {
  try {
    return await (client.list(path) as Promise<FtpEntry[]>); // see parseList in connect.ts
  } catch (error) {
    if (isReply(error, 550, 450)) return [];
    throw error;
  }
};

async function* listFolder(list: () => Promise<FtpEntry[]>): AsyncGenerator<Entry> {
  for (const each of await list()) {
    if (each.name === "." || each.name === "..") continue;
    // MLSD tells times as stat does; LIST only to the minute, and a link's own size.
    const isExact = each.isFile && each.modifiedAt !== undefined;
    yield { name: each.name, isFile: !each.isDirectory, ...(isExact && { seen: statOf(each) }) };
  }
}

async function* readFile(
  pool: Pool<Client>,
  uri: string,
  { from, length = Number.POSITIVE_INFINITY }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (length === 0) return;
  const { connection, release } = await pool.take(uri).catch((error) => Promise.reject(ftpError(error, uri)));
  const bytes = new PassThrough({ highWaterMark: 1024 * 1024 });
  using _closing = addAbortListener(signal, () => connection.close());
  const done = connection.downloadTo(bytes, pathOf(uri), from);
  done.catch((error) => bytes.destroy(error));
  let left = length;
  try {
    for await (const part of pipedInto(bytes, done)) {
      yield part.length > left ? part.subarray(0, left) : part;
      left -= part.length;
      if (left <= 0) return;
    }
    await done; // the server's final reply decides: the data may be incomplete
    release(false);
  } catch (error) {
    signal.throwIfAborted();
    const cause = await done.then(
      () => error,
      (reason) => reason,
    );
    // The reply to a refused read is the same one, whether the file is missing or forbidden.
    const isMissing = isReply(cause, 550) && (await stat(connection, pathOf(uri)).catch(() => true)) === undefined;
    throw isMissing ? failureAt(uri, "missing") : ftpError(cause, uri);
  } finally {
    bytes.destroy();
    release(true); // still in the middle of it, unless it was already returned
  }
}

/** What the library pipes into a stream; straight from its socket if that has memory to read into. */
async function* pipedInto(stream: PassThrough, done: Promise<unknown>): AsyncGenerator<Uint8Array> {
  const taken = await new Promise<Taken | undefined>((resolve) => {
    stream.once("pipe", (socket) => {
      socket.read(); // what it has by now goes through the stream
      resolve(takeBytes(socket));
    });
    done.then(
      () => resolve(undefined),
      () => resolve(undefined),
    );
  });
  if (!taken) return yield* stream as AsyncIterable<Buffer>;
  done.then(() => taken.end(), taken.end);
  const early: Buffer | null = stream.read();
  if (early) yield early;
  for (let piece = await taken.next(); piece; piece = await taken.next()) yield piece;
}

const upload = async (client: Client, path: string, { file, signal }: Writing): Promise<void> => {
  using _closing = addAbortListener(signal, () => client.close());
  await (file.from > 0 ? client.appendFrom(pipedFile(file), path) : client.uploadFrom(pipedFile(file), path));
};

/** An existing folder gets the same reply as any refusal; the next request in that folder shows which it was. */
const makeFolder = async (client: Client, path: string): Promise<void> => {
  for (const folder of listParentFolders(path)) {
    await client.send(`MKD ${folder}`).catch((error) => {
      if (!isReply(error, 550, 521, 553, 450)) throw error;
    });
  }
};

/** Some servers do not rename over a file, so the existing one is deleted first. */
const rename = async (client: Client, from: string, to: string): Promise<void> => {
  try {
    await client.rename(from, to);
  } catch (error) {
    if (!isReply(error, 550, 553, 450)) throw error;
    await remove(client, to);
    await client.rename(from, to);
  }
};

const remove = async (client: Client, path: string): Promise<void> => {
  try {
    await client.remove(path);
  } catch (error) {
    if (!isReply(error, 550) || (await stat(client, path)) !== undefined) throw error;
  }
};

const removeFolder = async (client: Client, path: string): Promise<void> => {
  if ((await stat(client, path)) === undefined) return;
  await client.removeDir(path);
  await client.cd("/");
};
