import * as real from "node:fs";
import { Readable } from "node:stream";
import { isOwn, madeUp, now, wait } from "./calls.ts";
import type { Files } from "./files.ts";
import { fsPromises, makeFolders } from "./fs-promises.ts";
import { failure } from "./names.ts";

/** What the product uses of `node:fs`, on the simulated disks of the machine that calls. */

type Mode = { readonly mode?: number; readonly flag?: string; readonly recursive?: boolean; readonly force?: boolean };

const readFileSync = (path: string | URL, encoding?: BufferEncoding) => {
  if (isOwn(path)) return encoding ? real.readFileSync(path, encoding) : real.readFileSync(path);
  const text = madeUp(String(path));
  if (text !== undefined) return text;
  return now("readFile", String(path), (files) => {
    const node = files.existing(String(path), "open", true);
    if (node.kind !== "file") throw failure("EISDIR", "read", String(path));
    return encoding === undefined ? Buffer.from(node.bytes) : node.bytes.toString(encoding);
  });
};

const writeFileSync = (path: string, data: string | Uint8Array, { mode, flag = "w" }: Mode = {}): void => {
  const fd = now("open", path, (files) => files.open(path, flag, mode));
  now("write", path, (files) => files.write(fd, typeof data === "string" ? Buffer.from(data) : data, null));
  now("close", path, (files) => files.close(fd));
};

const removeSync = (files: Files, path: string, { recursive = false, force = false }: Mode): void => {
  const { node } = files.find(path, "rm", false);
  if (!node && force) return;
  if (!node) throw failure("ENOENT", "rm", path);
  if (node.kind !== "folder") {
    files.unlink(path);
    return;
  }
  if (!recursive) throw failure("ERR_FS_EISDIR", "rm", path);
  for (const name of [...node.names.keys()]) removeSync(files, `${path}/${name}`, { recursive, force });
  files.rmdir(path);
};

type Reading = {
  readonly highWaterMark?: number;
  readonly signal?: AbortSignal;
  readonly start?: number;
  readonly end?: number;
};

async function* piecesOf(path: string, { highWaterMark = 64 * 1024, signal, start = 0, end }: Reading) {
  await using file = await fsPromises.open(path);
  for (let position = start; end === undefined || position <= end; ) {
    signal?.throwIfAborted();
    const most = end === undefined ? highWaterMark : Math.min(highWaterMark, end - position + 1);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(most), 0, most, position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

const onPath =
  <T>(call: string, act: (files: Files, path: string) => T) =>
  (path: string): T =>
    now(call, path, (files) => act(files, path));

export const fs = {
  ...{ readFileSync, writeFileSync },
  readdirSync: (path: string | URL) =>
    isOwn(path)
      ? real.readdirSync(path)
      : now("readdir", String(path), (files) => files.list(String(path)).map(([name]) => name)),
  existsSync: (path: string) =>
    now("stat", path, (files) => {
      try {
        return files.find(path, "stat", true).node !== undefined;
      } catch {
        return false;
      }
    }),
  openSync: (path: string, flags?: string | number, mode?: number) =>
    now("open", path, (files) => files.open(path, flags, mode)),
  closeSync: (fd: number) => now("close", undefined, (files) => files.close(fd)),
  writeSync: (fd: number, bytes: Uint8Array) => now("write", undefined, (files) => files.write(fd, bytes, null)),
  fsyncSync: (fd: number) => now("fsync", undefined, (files) => files.flush(fd)),
  fsync: (fd: number, done: (error: unknown) => void): void => {
    wait("fsync", undefined, (files) => files.flush(fd)).then(() => done(null), done);
  },
  mkdirSync: (path: string, { recursive = false, mode }: Mode = {}) =>
    now("mkdir", path, (files) => makeFolders(files, path, recursive, mode)),
  rmSync: (path: string, how: Mode = {}) => now("unlink", path, (files) => removeSync(files, path, how)),
  unlinkSync: onPath("unlink", (files, path) => files.unlink(path)),
  rmdirSync: onPath("rmdir", (files, path) => files.rmdir(path)),
  statSync: onPath("stat", (files, path) => files.stat(path)),
  lstatSync: onPath("lstat", (files, path) => files.lstat(path)),
  realpathSync: onPath("realpath", (files, path) => files.realpath(path)),
  accessSync: onPath("access", (files, path) => void files.stat(path)),
  chmodSync: onPath("chmod", (files, path) => void files.stat(path)),
  renameSync: (from: string, to: string) => now("rename", to, (files) => files.rename(from, to)),
  symlinkSync: (target: string, path: string) => now("symlink", path, (files) => files.symlink(target, path)),
  createReadStream: (path: string, how: Reading = {}) => Readable.from(piecesOf(path, how), { objectMode: false }),
};
