import type { Stats } from "ssh2";
import type { FileServer } from "../hidden-names.ts";
import { listParentFolders, readHostAddress } from "../host-address.ts";
import { mostNames, tooManyNames } from "../listing-limits.ts";
import type { Pool } from "../pool.ts";
import type { ByteRange, Entry, FileStat } from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import type { Connection, Done } from "./connect.ts";
import { sftpError, status, statusOf } from "./errors.ts";
import { readAhead, writeAhead } from "./transfer.ts";

const pathOf = (uri: string): string => readHostAddress(uri).path;

/** File operations on an SSH server. */
export const createServer = (pool: Pool<Connection>): FileServer => ({
  stat: (uri) => pool.use(uri, stat),
  list: (folder) => listFolder(() => pool.use(folder, listNames)),
  read: (uri, range, signal) => readFile(pool, uri, range, signal),
  write: (uri, sending) => pool.use(uri, (connection, path) => writeAhead(connection, path, sending)),
  makeFolder: (uri) => pool.use(uri, makeFolder),
  move: (from, to) => pool.use(from, (connection, path) => replace(connection, path, pathOf(to))),
  moveIfFree: (from, to) => pool.use(from, (connection, path) => renameIfFree(connection, path, pathOf(to))),
  remove: (uri) => pool.use(uri, remove),
  removeFolder: (uri) => pool.use(uri, removeFolder),
});

const stat = async (connection: Connection, path: string): Promise<FileStat | undefined> => {
  try {
    return statOf(await connection.call<Stats>((done) => connection.sftp.stat(path, done)));
  } catch (error) {
    if (statusOf(error) === status.noSuchFile) return undefined;
    throw error;
  }
};

const statOf = (found: Pick<Stats, "size" | "mtime"> & { isDirectory?: () => boolean }): FileStat => ({
  isFile: !found.isDirectory?.(),
  size: found.size,
  modified: found.mtime * 1000,
});

type Listed = { readonly filename: string; readonly attrs: Stats };

/** Part by part, as the library's own way reads on for as long as a server has names. */
const listNames = async (connection: Connection, path: string): Promise<readonly Listed[]> => {
  try {
    const folder = await connection.call<Buffer>((done) => connection.sftp.opendir(path, done));
    const names: Listed[] = [];
    for (let part = await nextNames(connection, folder); part; part = await nextNames(connection, folder)) {
      names.push(...part);
      if (names.length > mostNames) throw tooManyNames(path);
    }
    await connection.call<void>((done) => connection.sftp.close(folder, done));
    return names;
  } catch (error) {
    if (statusOf(error) === status.noSuchFile) return [];
    throw error;
  }
};

/** Undefined at the end. */
const nextNames = (connection: Connection, folder: Buffer): Promise<readonly Listed[] | undefined> =>
  connection
    .call<readonly Listed[]>((done) => connection.sftp.readdir(folder, (error, list) => done(error, list as Listed[]))) // its type omits the methods of attrs
    .catch((error) => (statusOf(error) === status.end ? undefined : Promise.reject(error)));

async function* listFolder(list: () => Promise<readonly Listed[]>): AsyncGenerator<Entry> {
  for (const { filename: name, attrs } of await list()) {
    const isLink = attrs.isSymbolicLink();
    const seen = statOf(attrs);
    yield isLink ? { name, isFile: true } : { name, isFile: seen.isFile, seen };
  }
}

async function* readFile(
  pool: Pool<Connection>,
  uri: string,
  { from, length = Number.POSITIVE_INFINITY }: ByteRange,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { connection, release } = await pool.take(uri);
  let isDone = false;
  try {
    yield* readAhead(connection, pathOf(uri), { from, length }, signal);
    isDone = true;
  } catch (error) {
    signal.throwIfAborted();
    throw sftpError(error, uri);
  } finally {
    release(!isDone);
  }
}

const makeFolder = async (connection: Connection, path: string): Promise<void> => {
  if ((await stat(connection, path))?.isFile === false) return;
  for (const folder of listParentFolders(path)) {
    await connection
      .call<void>((done) => connection.sftp.mkdir(folder, done))
      .catch(async (error) => {
        // Servers have no code for "already exists", and some refuse to stat parent folders.
        if ((await stat(connection, folder))?.isFile !== false) throw error;
      });
  }
};

/** Servers without this extension cannot rename over a file atomically, which was promised. */
const replace = async (connection: Connection, from: string, to: string): Promise<void> => {
  const rename = (done: Done<void>) => connection.sftp.ext_openssh_rename(from, to, done);
  try {
    await connection.call(rename);
  } catch (error) {
    if (error instanceof Error && /does not support/i.test(error.message)) {
      if ((await renameIfFree(connection, from, to)) === "created") return;
      const words = "the server cannot put a file in another one's place in one step; choose delete_and_replace";
      throw new StorageError("capability", `${to}: ${words} or rename_new`);
    }
    throw error;
  }
};

const renameIfFree = async (connection: Connection, from: string, to: string): Promise<"created" | "taken"> => {
  try {
    await connection.call<void>((done) => connection.sftp.rename(from, to, done));
    return "created";
  } catch (error) {
    if (statusOf(error) === status.failure && (await stat(connection, to))) return "taken";
    throw error;
  }
};

const remove = async (connection: Connection, path: string): Promise<void> => {
  await connection
    .call<void>((done) => connection.sftp.unlink(path, done))
    .catch((error) => {
      if (statusOf(error) !== status.noSuchFile) throw error;
    });
};

const removeFolder = async (connection: Connection, path: string): Promise<void> => {
  for (const { filename, attrs } of await listNames(connection, path)) {
    if (filename === "." || filename === "..") continue;
    // Removes the link, not its target.
    await (attrs.isDirectory() ? removeFolder : remove)(connection, `${path}/${filename}`);
  }
  await connection
    .call<void>((done) => connection.sftp.rmdir(path, done))
    .catch((error) => {
      if (statusOf(error) !== status.noSuchFile) throw error;
    });
};
