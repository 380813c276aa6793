import { constants } from "node:fs";
import type { Random } from "../engine/random.ts";
import { createNames, type Descriptors, type Found, failure, type Mounted, type Names } from "./names.ts";
import { type FileNode, type FolderNode, isGone, type Node } from "./volume.ts";

/** Linux: stands for a place, and reads nothing. */
const O_PATH = 0o10000000;

type Opened = { readonly node: Node; readonly flags: number; position: number; readonly path: string };

export type Stats = ReturnType<typeof statsOf>;

/** The system calls about files of one machine, as functions that act at once and throw what Node would. */
export type Files = ReturnType<typeof createFiles>;

export const createFiles = (machine: string, mounts: readonly Mounted[], random: Random) => {
  const open = new Map<number, Opened>();
  let lastFd = 10;
  const descriptors: Descriptors = (fd) => open.get(fd)?.node;
  const names = createNames(mounts, descriptors);
  const places = createPlaces(names, random);
  const { find, folderOf, tried } = places;
  const seenStatsOf = (node: Node): Stats =>
    statsOf(node, node.kind === "file" ? names.viewOf(node.volume)?.stateOf(node) : undefined);
  const of = (fd: number, call: string): Opened => {
    const found = open.get(fd);
    if (!found) throw failure("EBADF", call);
    return found;
  };
  const fileOf = (fd: number, call: string): FileNode => {
    const { node, flags } = of(fd, call);
    if (node.kind !== "file") throw failure(node.kind === "folder" ? "EISDIR" : "EBADF", call);
    if (flags & O_PATH) throw failure("EBADF", call);
    return node;
  };

  return {
    ...places,
    names,
    open: (path: string, given: string | number = "r", mode = 0o666): number => {
      const node = openNode(places, path, { flags: flagsOf(given), mode, machine });
      if (node.kind === "folder") node.volume.onOpened?.(node);
      lastFd += 1;
      open.set(lastFd, { node, flags: flagsOf(given), position: 0, path });
      return lastFd;
    },
    close: (fd: number): void => {
      of(fd, "close");
      open.delete(fd);
    },
    /** Forgets every descriptor: the process is gone. */
    closeAll: (): void => open.clear(),
    openCount: (): number => open.size,
    read: (fd: number, into: Uint8Array, offset: number, length: number, position: number | null): number => {
      const opened = of(fd, "read");
      const file = fileOf(fd, "read");
      tried(file, "read", opened.path);
      const from = position ?? opened.position;
      const part = file.bytes.subarray(from, from + length);
      into.set(part, offset);
      if (position === null) opened.position = from + part.length;
      return part.length;
    },
    write: (fd: number, bytes: Uint8Array, position: number | null): number => {
      const opened = of(fd, "write");
      const file = fileOf(fd, "write");
      tried(file, "write", opened.path);
      if (file.volume.trouble.isReadOnly) throw failure("EROFS", "write");
      const end = opened.flags & constants.O_APPEND ? file.bytes.length : opened.position;
      const at = position ?? end;
      const grown = Math.max(0, at + bytes.length - file.bytes.length);
      if (grown > file.volume.room()) throw failure("ENOSPC", "write");
      const next = Buffer.alloc(Math.max(file.bytes.length, at + bytes.length));
      next.set(file.bytes);
      next.set(bytes, at);
      file.volume.write(file, next, machine);
      if (position === null) opened.position = at + bytes.length;
      return bytes.length;
    },
    flush: (fd: number): void => {
      const { node, path } = of(fd, "fsync");
      tried(node, "fsync", path);
      if (node.kind === "file") node.volume.flushFile(node);
      if (node.kind === "folder") node.volume.flushFolder(node);
    },
    fstat: (fd: number): Stats => statsOf(of(fd, "fstat").node),
    stat: (path: string): Stats => seenStatsOf(places.existing(path, "stat", true)),
    lstat: (path: string): Stats => seenStatsOf(places.existing(path, "lstat", false)),
    readlink: (path: string): string => {
      const fd = /^\/proc\/(?:self|\d+)\/fd\/(\d+)$/.exec(path)?.[1];
      if (fd !== undefined) return names.pathOf(of(Number(fd), "readlink").node);
      const { node } = find(path, "readlink", false);
      if (node?.kind !== "link") throw failure(node ? "EINVAL" : "ENOENT", "readlink", path);
      return node.target;
    },
    realpath: (path: string): string => names.pathOf(places.existing(path, "realpath", true, true)),
    list: (path: string): [string, Node][] => {
      const node = places.existing(path, "scandir", true);
      if (node.kind !== "folder") throw failure("ENOTDIR", "scandir", path);
      if (isGone(node)) throw failure("ENOENT", "scandir", path);
      tried(node, "scandir", path);
      const all = names.viewOf(node.volume)?.namesIn(node) ?? node.names;
      return [...all].sort(([a], [b]) => (a < b ? -1 : 1));
    },
    makeFolder: (path: string, mode = 0o777): void => {
      const { folder, name } = folderOf(path, "mkdir", (found) => found.node && "EEXIST");
      folder.volume.change([{ folder, name, node: folder.volume.newFolder(mode) }], machine);
    },
    symlink: (target: string, path: string): void => {
      const { folder, name } = folderOf(path, "symlink", (found) => found.node && "EEXIST");
      folder.volume.change([{ folder, name, node: folder.volume.newLink(target) }], machine);
    },
    link: (path: string, to: string): void => {
      const node = places.existing(path, "link", false, true);
      const { folder, name } = folderOf(to, "link", (found) => found.node && "EEXIST");
      if (node.kind === "folder") throw failure("EPERM", "link", path, to);
      if (node.volume !== folder.volume) throw failure("EXDEV", "link", path, to);
      folder.volume.change([{ folder, name, node }], machine);
    },
    unlink: (path: string): void => {
      const { folder, name } = folderOf(path, "unlink", ({ node }) =>
        node ? (node.kind === "folder" ? "EISDIR" : undefined) : "ENOENT",
      );
      folder.volume.change([{ folder, name, node: undefined }], machine);
    },
    rmdir: (path: string): void => {
      const { folder, name } = folderOf(path, "rmdir", ({ node }) => {
        if (!node) return "ENOENT";
        if (node.kind !== "folder") return "ENOTDIR";
        return node.names.size > 0 ? "ENOTEMPTY" : undefined;
      });
      folder.volume.change([{ folder, name, node: undefined }], machine);
    },
    rename: (from: string, to: string): void => renameIn(places, machine, from, to),
    statfs: (path: string) => {
      const { volume } = places.existing(path, "statfs", true);
      const free = Math.max(0, Math.min(1e12, volume.room()));
      const whole = Math.min(1e12, volume.trouble.capacity);
      return {
        type: 0x6969,
        bsize: 4096,
        blocks: Math.floor(whole / 4096),
        bfree: Math.floor(free / 4096),
        bavail: Math.floor(free / 4096),
      };
    },
  };
};

type Places = ReturnType<typeof createPlaces>;

const createPlaces = (names: Names, random: Random) => {
  /** A disk that fails does so now and then, whatever it is asked. */
  const tried = (node: Node, call: string, path: string): void => {
    const { errors } = node.volume.trouble;
    if (errors > 0 && random.chance(errors)) throw failure("EIO", call, path);
  };
  const find = (path: string, call: string, follows: boolean, isFresh = false): Found =>
    names.find(path, { follows, call, isFresh });
  const existing = (path: string, call: string, follows: boolean, isFresh = false): Node => {
    const { node } = find(path, call, follows, isFresh);
    if (!node) throw failure("ENOENT", call, path);
    tried(node, call, path);
    return node;
  };
  /** The folder and name of a path whose name is to change, unless the check refuses that. */
  const folderOf = (path: string, call: string, refusal: (found: Found) => string | undefined) => {
    const found = find(path, call, false, true);
    const code = refusal(found);
    if (code !== undefined) throw failure(code, call, path);
    const { folder, name, node } = found;
    if (!folder || isGone(folder)) throw failure(node ? "EBUSY" : "ENOENT", call, path);
    if (folder.volume.trouble.isReadOnly) throw failure("EROFS", call, path);
    tried(folder, call, path);
    return { folder, name, node };
  };
  return { find, existing, folderOf, tried };
};

type Opening = { readonly flags: number; readonly mode: number; readonly machine: string };

/** Of what is not there as far as the machine knows, the server of a share is not asked; of all else it is. */
const toOpen = ({ find }: Places, path: string, flags: number): Found => {
  const follows = (flags & constants.O_NOFOLLOW) === 0;
  if (!(flags & constants.O_CREAT) && !find(path, "open", follows).node) throw failure("ENOENT", "open", path);
  return find(path, "open", follows, true);
};

const openNode = (places: Places, path: string, { flags, mode, machine }: Opening): Node => {
  const { tried } = places;
  const found = toOpen(places, path, flags);
  const { folder, name } = found;
  let { node } = found;
  if (node && flags & constants.O_CREAT && flags & constants.O_EXCL) throw failure("EEXIST", "open", path);
  if (node?.kind === "link") throw failure("ELOOP", "open", path);
  if (flags & constants.O_DIRECTORY && node && node.kind !== "folder") throw failure("ENOTDIR", "open", path);
  const writes = (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0;
  if (writes && node?.kind === "folder") throw failure("EISDIR", "open", path);
  if (node) tried(node, "open", path);
  if (!node) {
    if (!(flags & constants.O_CREAT) || !folder || isGone(folder)) throw failure("ENOENT", "open", path);
    if (folder.volume.trouble.isReadOnly) throw failure("EROFS", "open", path);
    if (folder.volume.room() <= 0) throw failure("ENOSPC", "open", path);
    node = folder.volume.newFile(mode);
    folder.volume.change([{ folder, name, node }], machine);
  }
  if (flags & constants.O_TRUNC && node.kind === "file") node.volume.write(node, Buffer.alloc(0), machine);
  return node;
};

const renameIn = ({ find, folderOf }: Places, machine: string, from: string, to: string): void => {
  const source = folderOf(from, "rename", ({ node }) => (node ? undefined : "ENOENT"));
  const { node } = source;
  const target = folderOf(to, "rename", ({ node: there }) => {
    if (there?.kind === "folder" && node?.kind !== "folder") return "EISDIR";
    if (there && there.kind !== "folder" && node?.kind === "folder") return "ENOTDIR";
    return there?.kind === "folder" && there.names.size > 0 ? "ENOTEMPTY" : undefined;
  });
  if (!node || source.folder.volume !== target.folder.volume) throw failure("EXDEV", "rename", from, to);
  if (find(to, "rename", false, true).node === node) return; // two names of one file: rename does nothing
  const change = [
    { folder: source.folder, name: source.name, node: undefined },
    { folder: target.folder, name: target.name, node },
  ];
  node.volume.change(change, machine);
};

const byLetter: Readonly<Record<string, number>> = {
  r: constants.O_RDONLY,
  "r+": constants.O_RDWR,
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
  "w+": constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
  a: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND,
  ax: constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_EXCL,
};

const flagsOf = (given: string | number): number => (typeof given === "number" ? given : (byLetter[given] ?? 0));

const modes = { file: 0o100000, folder: 0o040000, link: 0o120000 };

/** `seen`: what its machine knows of a file. */
const statsOf = (node: Node, seen?: Pick<FileNode, "bytes" | "modified">) => {
  const bytes = node.kind === "file" ? (seen ?? node).bytes : undefined;
  const size = bytes?.length ?? (node.kind === "link" ? node.target.length : 4096);
  const { modified } = seen ?? node;
  return {
    dev: node.volume.name.length * 1000 + node.volume.name.charCodeAt(0),
    ino: node.ino,
    size,
    mode: modes[node.kind] | (node.kind === "link" ? 0o777 : node.mode),
    nlink: node.kind === "file" ? node.links : 1,
    uid: 1000,
    gid: 1000,
    ...{ mtimeMs: modified, ctimeMs: modified, atimeMs: modified, birthtimeMs: modified },
    mtime: new Date(modified),
    blocks: Math.ceil(size / 512),
    blksize: 4096,
    isFile: () => node.kind === "file",
    isDirectory: () => node.kind === "folder",
    isSymbolicLink: () => node.kind === "link",
    isFIFO: () => false,
    isSocket: () => false,
    isBlockDevice: () => false,
    isCharacterDevice: () => false,
  };
};

export const isFolderNode = (node: Node): node is FolderNode => node.kind === "folder";
