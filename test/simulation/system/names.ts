import type { View } from "./view.ts";
import type { FolderNode, Node, Volume } from "./volume.ts";

/** Where a machine has a file system. */
export type Mounted = { readonly at: string; readonly volume: Volume; readonly view?: View };

/** What a path leads to: the name in its folder, and what has it. */
export type Found = {
  /** Undefined for the root of a file system, and for what a descriptor has open. */
  readonly folder: FolderNode | undefined;
  readonly name: string;
  readonly node: Node | undefined;
};

export type Names = {
  /** Throws ENOENT, ENOTDIR or ELOOP where the way there is no way. */
  readonly find: (path: string, how: FindHow) => Found;
  /** What this machine knows of a file system; undefined: all of it. */
  readonly viewOf: (volume: Volume) => View | undefined;
  /** The path of what is there now; ends with " (deleted)" where it has lost its name. */
  readonly pathOf: (node: Node) => string;
};

/** `isFresh`: the last name is looked up at the server of a share, also where something is known of it. */
type FindHow = { readonly follows: boolean; readonly call: string; readonly isFresh?: boolean };

/** What `/proc/self/fd/N` leads to. */
export type Descriptors = (fd: number) => Node | undefined;

const mostLinks = 40;
const procFd = /^\/proc\/(?:self|\d+)\/fd\/(\d+)(?=\/|$)/;

export const createNames = (mounts: readonly Mounted[], opened: Descriptors): Names => {
  const root = mounts.find(({ at }) => at === "/")?.volume.root;
  if (!root) throw new Error("a machine needs a disk");
  const mountedAt = (path: string): FolderNode | undefined => mounts.find(({ at }) => at === path)?.volume.root;

  const views = new Map(mounts.map(({ volume, view }) => [volume, view]));
  const viewOf = (volume: Volume) => views.get(volume);

  const pathOf = (node: Node): string => {
    const mount = mounts.find(({ volume }) => volume.root === node);
    if (mount) return mount.at;
    const { place } = node;
    if (!place) return "/ (deleted)";
    const folder = pathOf(place.folder);
    const path = `${folder === "/" ? "" : folder}/${place.name}`;
    return place.folder.names.get(place.name) === node ? path : `${path} (deleted)`;
  };

  type Looking = { readonly at: string; readonly isFresh: boolean };

  /** What has the name as far as this machine knows. */
  const there = (folder: FolderNode, name: string, { at, isFresh }: Looking): Pick<Way, "node" | "isMounted"> => {
    const mounted = mountedAt(at);
    if (mounted) return { node: mounted, isMounted: true };
    const view = viewOf(folder.volume);
    return { node: view ? view.lookUp(folder, name, isFresh) : folder.names.get(name), isMounted: false };
  };

  const find: Names["find"] = (path, { follows, call, isFresh = false }) => {
    let links = 0;
    const fail = (code: string): never => {
      throw failure(code, call, path);
    };
    const followed = (target: string, at: string, rest: readonly string[]): Found => {
      links += 1;
      if (links > mostLinks) fail("ELOOP");
      return enter(target.startsWith("/") ? target : `${at}/${target}`, rest);
    };
    const walk = (from: FolderNode, base: string, parts: readonly string[]): Found => {
      const [part, ...rest] = parts;
      if (part === undefined) return { folder: undefined, name: "", node: from };
      const at = `${base === "/" ? "" : base}/${part}`;
      const isLast = rest.length === 0;
      const step = stepInto(from, part, { ...there(from, part, { at, isFresh: isFresh && isLast }), isLast, follows });
      if ("found" in step) return step.found;
      if ("target" in step) return followed(step.target, base, rest);
      return "into" in step ? walk(step.into, at, rest) : fail(step.fails);
    };
    const enter = (to: string, rest: readonly string[]): Found => {
      const [whole, fd] = procFd.exec(to) ?? [];
      if (whole === undefined) return walk(root, "/", [...partsOf(to), ...rest]);
      const node = opened(Number(fd)) ?? fail("ENOENT");
      const parts = [...partsOf(to.slice(whole.length)), ...rest];
      if (parts.length === 0) return { folder: undefined, name: "", node };
      return node.kind === "folder" ? walk(node, pathOf(node), parts) : fail("ENOTDIR");
    };
    return enter(path, []);
  };
  return { find, pathOf, viewOf };
};

type Step =
  | { readonly found: Found }
  | { readonly target: string }
  | { readonly into: FolderNode }
  | { readonly fails: string };

type Way = {
  /** What has the name. */
  readonly node: Node | undefined;
  readonly isMounted: boolean;
  readonly isLast: boolean;
  readonly follows: boolean;
};

/** What one name of a path leads to. */
const stepInto = (folder: FolderNode, name: string, { node, isMounted, isLast, follows }: Way): Step => {
  if (node?.kind === "link" && (follows || !isLast)) return { target: node.target };
  if (isLast) return { found: { folder: isMounted ? undefined : folder, name, node } };
  if (node?.kind === "folder") return { into: node };
  return { fails: node ? "ENOTDIR" : "ENOENT" };
};

const partsOf = (path: string): string[] => {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return parts;
};

const texts: Readonly<Record<string, readonly [number, string]>> = {
  ENOENT: [-2, "no such file or directory"],
  EIO: [-5, "i/o error"],
  EBADF: [-9, "bad file descriptor"],
  EEXIST: [-17, "file already exists"],
  EXDEV: [-18, "cross-device link not permitted"],
  ENOTDIR: [-20, "not a directory"],
  EISDIR: [-21, "illegal operation on a directory"],
  EINVAL: [-22, "invalid argument"],
  ENOSPC: [-28, "no space left on device"],
  EROFS: [-30, "read-only file system"],
  ENOTEMPTY: [-39, "directory not empty"],
  ELOOP: [-40, "too many symbolic links encountered"],
  ESRCH: [-3, "no such process"],
};

/** The error that Node gives for a failed system call. */
export const failure = (code: string, call: string, path?: string, to?: string): NodeJS.ErrnoException => {
  const [errno, text] = texts[code] ?? [-1, code];
  const about = [path, to].flatMap((each) => (each === undefined ? [] : [`'${each}'`])).join(" -> ");
  return Object.assign(withoutStack(`${code}: ${text}, ${call}${about === "" ? "" : ` ${about}`}`), {
    ...{ code, errno, syscall: call },
    ...(path !== undefined && { path }),
    ...(to !== undefined && { dest: to }),
  });
};

/** Node's errors of promised calls have no stack either; making one takes longer than all else here. */
const withoutStack = (message: string): Error => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(message);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
};
