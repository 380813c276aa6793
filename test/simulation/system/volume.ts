import type { Random } from "../engine/random.ts";
import type { View } from "./view.ts";

/** A file, with the bytes that a power cut would leave. */
export type FileNode = {
  readonly kind: "file";
  readonly ino: number;
  readonly volume: Volume;
  bytes: Buffer;
  flushed: Buffer;
  mode: number;
  modified: number;
  links: number;
  place: Place | undefined;
};
export type FolderNode = {
  readonly kind: "folder";
  readonly ino: number;
  readonly volume: Volume;
  readonly names: Map<string, Node>;
  /** The names that a power cut would leave. */
  flushed: Map<string, Node>;
  mode: number;
  modified: number;
  place: Place | undefined;
};
export type LinkNode = {
  readonly kind: "link";
  readonly ino: number;
  readonly volume: Volume;
  readonly target: string;
  modified: number;
  place: Place | undefined;
};
export type Node = FileNode | FolderNode | LinkNode;
type Place = { readonly folder: FolderNode; readonly name: string };

/** A change of names that is not flushed yet. A rename is one change of two folders. */
export type Change = readonly { readonly folder: FolderNode; readonly name: string; readonly node: Node | undefined }[];

/** It has lost its name: nothing is found in it any more, and nothing can be made there. */
export const isGone = (node: FolderNode): boolean =>
  node.place !== undefined && node.place.folder.names.get(node.place.name) !== node;

/** A file system: its names and bytes as programs see them, and as a power cut leaves them. */
export type Volume = {
  readonly name: string;
  readonly root: FolderNode;
  readonly newFile: (mode: number) => FileNode;
  readonly newFolder: (mode: number) => FolderNode;
  readonly newLink: (target: string) => LinkNode;
  /** Names, unnames or renames in one step. Undefined as a node takes the name away. */
  readonly change: (change: Change, by?: string) => void;
  /** Those of machines that do not always ask the server. */
  readonly views: Set<View>;
  /** Called when a program has opened a folder. */
  onOpened?: (folder: FolderNode) => void;
  /** `by`: the machine that has the bytes until they are flushed. */
  readonly write: (file: FileNode, bytes: Buffer, by?: string) => void;
  readonly flushFile: (file: FileNode) => void;
  readonly flushFolder: (folder: FolderNode) => void;
  /** What was not flushed survives or not: names up to some moment, or each for itself; bytes whole, torn or not. */
  readonly cutPower: (random: Random) => void;
  /** The same for bytes that a machine wrote to a server and did not flush. */
  readonly loseWriter: (machine: string, random: Random) => void;
  /** Bytes of its files, and those that more may be written. */
  readonly used: () => number;
  readonly room: () => number;
  readonly trouble: Trouble;
  /** Called for every new file or name that programs may see from now on. */
  onShown?: (folder: FolderNode, name: string, node: Node) => void;
};

/** What is wrong with a file system at the moment. */
export type Trouble = {
  /** Bytes beyond which nothing more can be written. */
  capacity: number;
  isReadOnly: boolean;
  /** How probably a call fails with EIO. */
  errors: number;
  /** Milliseconds that a call takes, and a flush. */
  callMs: number;
  flushMs: number;
};

export const noTrouble: Readonly<Trouble> = {
  ...{ capacity: Number.POSITIVE_INFINITY, isReadOnly: false, errors: 0 },
  ...{ callMs: 0.05, flushMs: 2 },
};

export type VolumeKind = {
  /** Names survive a power cut up to some moment, as with a journal; else each for itself. */
  readonly isOrdered: boolean;
  /** A server's: names are there for good as soon as they are given, and only bytes wait. */
  readonly isServer: boolean;
};

/** `now` gives Unix milliseconds, for the times of files. */
export const createVolume = (name: string, { isOrdered, isServer }: VolumeKind, now: () => number): Volume => {
  let [lastIno, used] = [1, 0];
  let pending: Change[] = [];
  /** Files with bytes that are not flushed, and whose they are. */
  const dirty = new Map<FileNode, string>();
  const trouble: Trouble = { ...noTrouble };
  const views = new Set<View>();
  const nextIno = (): number => {
    lastIno += 1;
    return lastIno;
  };
  const newFolder = (mode: number): FolderNode => ({
    ...{ kind: "folder" as const, ino: nextIno(), volume, names: new Map(), flushed: new Map() },
    ...{ mode, modified: now(), place: undefined },
  });

  const keep = (change: Change): void => {
    for (const { folder, name: each, node } of change) {
      if (node) folder.flushed.set(each, node);
      else folder.flushed.delete(each);
    }
  };
  const keepAll = (changes: readonly Change[]): void => {
    for (const change of changes) keep(change);
    pending = pending.filter((each) => !changes.includes(each));
  };

  /** A file without a name takes no room: it is gone once nobody has it open. */
  const linkOnce = (file: FileNode): void => {
    if (file.links === 0) used += file.bytes.length;
    file.links += 1;
  };
  const unlinkOnce = (file: FileNode): void => {
    file.links -= 1;
    if (file.links === 0) used -= file.bytes.length;
  };

  const apply = ({ folder, name: each, node }: Change[number]): void => {
    const before = folder.names.get(each);
    if (before?.kind === "file") unlinkOnce(before);
    folder.modified = now();
    if (!node) {
      folder.names.delete(each);
      return;
    }
    folder.names.set(each, node);
    node.place = { folder, name: each };
    if (node.kind === "file") linkOnce(node);
  };

  const show = (file: FileNode): void => {
    const { place } = file;
    if (place?.folder.names.get(place.name) === file) volume.onShown?.(place.folder, place.name, file);
  };

  const volume: Volume = {
    ...{ name, trouble, views },
    get root() {
      return root;
    },
    newFolder,
    newFile: (mode) => ({
      ...{ kind: "file" as const, ino: nextIno(), volume, bytes: nothing, flushed: nothing },
      ...{ mode, modified: now(), links: 0, place: undefined },
    }),
    newLink: (target) => ({ kind: "link", ino: nextIno(), volume, target, modified: now(), place: undefined }),
    change: (change, by = "") => {
      for (const view of views) view.changing(change, by);
      for (const each of change) apply(each);
      if (isServer) keep(change);
      else pending.push(change);
      for (const { folder, name: each, node } of change) if (node) volume.onShown?.(folder, each, node);
    },
    write: (file, bytes, by = "") => {
      for (const view of views) view.writing(file, by);
      if (file.links > 0) used += bytes.length - file.bytes.length;
      file.bytes = bytes;
      file.modified = now();
      dirty.set(file, by);
      show(file);
    },
    flushFile: (file) => {
      file.flushed = file.bytes;
      dirty.delete(file);
      // A journal writes everything before it too.
      if (isOrdered) keepAll(pending);
    },
    flushFolder: (folder) => {
      keepAll(isOrdered ? pending : pending.filter((change) => change.some((each) => each.folder === folder)));
    },
    cutPower: (random) => {
      const survives = isOrdered ? prefixOf(pending, random) : pending.filter(() => random.chance(0.5));
      for (const change of survives) keep(change);
      pending = [];
      for (const file of dirty.keys()) file.flushed = survivorOf(file, random);
      dirty.clear();
      restore(root);
      countLinks(root);
      used = sizeBelow(root, new Set());
    },
    loseWriter: (machine, random) => {
      for (const [file, by] of dirty) {
        if (by !== machine) continue;
        file.bytes = survivorOf(file, random);
        file.flushed = file.bytes;
        dirty.delete(file);
        show(file);
      }
      used = sizeBelow(root, new Set());
    },
    used: () => used,
    room: () => trouble.capacity - used,
  };
  const root = newFolder(0o755);
  return volume;
};

const nothing = Buffer.alloc(0);

const prefixOf = (changes: readonly Change[], random: Random): readonly Change[] =>
  changes.slice(0, random.integer(0, changes.length));

/** All bytes, those of the last flush, the first ones, or as many as there were, but empty ones. */
const survivorOf = ({ bytes, flushed }: FileNode, random: Random): Buffer => {
  const torn = bytes.subarray(0, random.integer(0, bytes.length));
  return random.one([bytes, flushed, torn, Buffer.alloc(bytes.length)]);
};

/** Makes what a power cut left what programs see. */
const restore = (folder: FolderNode): void => {
  folder.names.clear();
  for (const [name, node] of folder.flushed) {
    folder.names.set(name, node);
    node.place = { folder, name };
    if (node.kind === "folder") restore(node);
    if (node.kind !== "file") continue;
    node.bytes = node.flushed;
    node.links = 0;
  }
};

const countLinks = (folder: FolderNode): void => {
  for (const node of folder.names.values()) {
    if (node.kind === "file") node.links += 1;
    if (node.kind === "folder") countLinks(node);
  }
};

/** A file with several names counts once. */
const sizeBelow = (folder: FolderNode, seen: Set<Node>): number => {
  let total = 0;
  for (const node of folder.names.values()) {
    if (node.kind === "folder") total += sizeBelow(node, seen);
    if (node.kind !== "file" || seen.has(node)) continue;
    seen.add(node);
    total += node.bytes.length;
  }
  return total;
};
