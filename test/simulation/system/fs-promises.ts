import { constants } from "node:fs";
import { madeUp, wait } from "./calls.ts";
import { type Files, isFolderNode, type Stats } from "./files.ts";
import { failure } from "./names.ts";
import type { Node } from "./volume.ts";

/** What the product uses of `node:fs/promises`, on the simulated disks of the machine that calls. */

const bufferSize = 64 * 1024;

type Encoding = BufferEncoding | { readonly encoding?: BufferEncoding } | null | undefined;

const encodingOf = (how: Encoding): BufferEncoding | undefined =>
  typeof how === "string" ? how : (how?.encoding ?? undefined);

const decoded = (bytes: Buffer, how: Encoding): string | Buffer => {
  const encoding = encodingOf(how);
  return encoding === undefined ? bytes : bytes.toString(encoding);
};

const bytesOf = (data: string | Uint8Array): Uint8Array => (typeof data === "string" ? Buffer.from(data) : data);

const open = async (path: string, flags: string | number = "r", mode?: number) => {
  const fd = await wait("open", path, (files) => files.open(path, flags, mode));
  return handleOf(fd, path);
};

const handleOf = (fd: number, path: string) => {
  let isOpen = true;
  const readAll = async (how?: Encoding) => {
    const pieces: Buffer[] = [];
    for (;;) {
      const piece = Buffer.alloc(bufferSize);
      const { bytesRead } = await handle.read(piece, 0, piece.length, null);
      if (bytesRead === 0) return decoded(Buffer.concat(pieces), how);
      pieces.push(piece.subarray(0, bytesRead));
    }
  };
  const append = async (data: string | Uint8Array): Promise<void> => {
    const bytes = bytesOf(data);
    for (let at = 0; at < bytes.length; at += bufferSize)
      await wait("write", path, (files) => files.write(fd, bytes.subarray(at, at + bufferSize), null));
  };
  const flush = (): Promise<void> => wait("fsync", path, (files) => files.flush(fd));
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await wait("close", path, (files) => files.close(fd));
  };
  const handle = {
    fd,
    read: async (buffer: Uint8Array, offset = 0, length = buffer.length - offset, position: number | null = null) => ({
      bytesRead: await wait("read", path, (files) => files.read(fd, buffer, offset, length, position)),
      buffer,
    }),
    write: async (buffer: Uint8Array, offset = 0, length = buffer.length - offset, position: number | null = null) => ({
      bytesWritten: await wait("write", path, (files) =>
        files.write(fd, buffer.subarray(offset, offset + length), position),
      ),
      buffer,
    }),
    readFile: readAll,
    writeFile: append,
    appendFile: append,
    sync: flush,
    datasync: flush,
    stat: () => wait("fstat", path, (files) => files.fstat(fd)),
    close,
    [Symbol.asyncDispose]: close,
  };
  return handle;
};

const readFile = async (path: string, how?: Encoding) => {
  const text = madeUp(path);
  if (text !== undefined) return text;
  const file = await open(path);
  const content = await file.readFile(how);
  await file.close();
  return content;
};

type Writing = { readonly flag?: string; readonly mode?: number } | string | undefined;

const written =
  (usual: string) =>
  async (path: string, data: string | Uint8Array, how?: Writing): Promise<void> => {
    const { flag = usual, mode } = typeof how === "object" ? how : {};
    const file = await open(path, flag, mode);
    try {
      await file.writeFile(data);
    } finally {
      await file.close();
    }
  };

const direntOf = (parentPath: string, name: string, node: Node) => ({
  ...{ name, parentPath },
  isFile: () => node.kind === "file",
  isDirectory: () => node.kind === "folder",
  isSymbolicLink: () => node.kind === "link",
});

type Listing = { readonly withFileTypes?: boolean; readonly recursive?: boolean };

const below = (files: Files, path: string, isDeep: boolean): ReturnType<typeof direntOf>[] =>
  files
    .list(path)
    .flatMap(([name, node]) => [
      direntOf(path, name, node),
      ...(isDeep && isFolderNode(node) ? below(files, `${path}/${name}`, true) : []),
    ]);

const readdir = async (path: string, { withFileTypes = false, recursive = false }: Listing = {}) => {
  const found = await wait("readdir", path, (files) => below(files, path, recursive));
  if (withFileTypes) return found;
  return found.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(path.length + 1));
};

/** Names that come and go meanwhile are seen or not, as a kernel gives some of them at a time. */
const opendir = async (path: string) => {
  const found = await wait("opendir", path, (files) => files.list(path));
  return {
    close: async () => undefined,
    async *[Symbol.asyncIterator]() {
      for (const [at, [name, node]] of found.entries()) {
        if (at % 32 === 31) await wait("readdir", path, () => undefined);
        yield direntOf(path, name, node);
      }
    },
  };
};

const mkdir = async (path: string, { recursive = false, mode }: { recursive?: boolean; mode?: number } = {}) =>
  wait("mkdir", path, (files) => makeFolders(files, path, recursive, mode));

export const makeFolders = (files: Files, path: string, isDeep: boolean, mode?: number): void => {
  if (!isDeep) {
    files.makeFolder(path, mode);
    return;
  }
  const parts = path.split("/").filter(Boolean);
  for (const [index] of parts.entries()) {
    const each = `/${parts.slice(0, index + 1).join("/")}`;
    const { node } = files.find(each, "mkdir", true);
    if (!node) files.makeFolder(each, mode);
    else if (node.kind !== "folder") throw failure("EEXIST", "mkdir", path);
  }
};

type Removing = { readonly recursive?: boolean; readonly force?: boolean };

/** One call for every name, as Node does. */
const rm = async (path: string, how: Removing = {}): Promise<void> => {
  try {
    const stats = await wait("lstat", path, (files) => files.lstat(path));
    if (!stats.isDirectory()) return await wait("unlink", path, (files) => files.unlink(path));
    if (!how.recursive) throw failure("ERR_FS_EISDIR", "rm", path);
    for (const [name] of await wait("readdir", path, (files) => files.list(path))) await rm(`${path}/${name}`, how);
    await wait("rmdir", path, (files) => files.rmdir(path));
  } catch (error) {
    if (!(how.force && (error as NodeJS.ErrnoException).code === "ENOENT")) throw error; // made by `failure`
  }
};

const copyFile = async (from: string, to: string, how = 0): Promise<void> => {
  const source = await open(from);
  const target = await open(to, how & constants.COPYFILE_EXCL ? "wx" : "w");
  for (const piece = Buffer.alloc(bufferSize); ; ) {
    const { bytesRead } = await source.read(piece, 0, piece.length, null);
    if (bytesRead === 0) break;
    await target.write(piece, 0, bytesRead, null);
  }
  await source.close();
  await target.close();
};

const onPath =
  <T>(call: string, act: (files: Files, path: string) => T) =>
  (path: string): Promise<T> =>
    wait(call, path, (files) => act(files, path));

export const fsPromises = {
  ...{ open, readFile, readdir, opendir, mkdir, rm, copyFile },
  writeFile: written("w"),
  appendFile: written("a"),
  stat: onPath<Stats>("stat", (files, path) => files.stat(path)),
  lstat: onPath<Stats>("lstat", (files, path) => files.lstat(path)),
  unlink: onPath("unlink", (files, path) => files.unlink(path)),
  rmdir: onPath("rmdir", (files, path) => files.rmdir(path)),
  readlink: onPath("readlink", (files, path) => files.readlink(path)),
  realpath: onPath("realpath", (files, path) => files.realpath(path)),
  statfs: onPath("statfs", (files, path) => files.statfs(path)),
  link: (path: string, to: string) => wait("link", to, (files) => files.link(path, to)),
  symlink: (target: string, path: string) => wait("symlink", path, (files) => files.symlink(target, path)),
  rename: (from: string, to: string) => wait("rename", to, (files) => files.rename(from, to)),
};
