import { z } from "zod";
import { amount, measured } from "../basics/bounds.ts";

/**
 * Where a watched folder is. A share that is not mounted looks like an empty or a missing folder; the file system below
 * it tells the difference, as far as a node can see it.
 */

/** The file system of a folder, or of its nearest existing parent. */
const fileSystem = z.strictObject({ device: amount, type: measured, bytes: amount });
export type FileSystem = z.output<typeof fileSystem>;

export const folderIdentity = z.strictObject({
  isThere: z.boolean(),
  /** Only of a node's own folders: nobody can see what lies below a server's. */
  on: fileSystem.optional(),
});
export type FolderIdentity = z.output<typeof folderIdentity>;

/** A file system as one node sees it. */
export type SeenFileSystem = { readonly nodeId: number; readonly on: FileSystem };

/** Whether an empty folder is the one that held files: its share is mounted. */
export const isEmptied = ({ nodeId, place }: Omit<Look, "folder">, before: SeenFileSystem | undefined): boolean =>
  place?.isThere === true &&
  place.on !== undefined &&
  before?.nodeId === nodeId &&
  isSameFileSystem(before.on, place.on);

/** Devices are numbered anew when a node starts, and the size of some shares varies: one of the two stays. */
export const isSameFileSystem = (one: FileSystem, other: FileSystem): boolean =>
  one.device === other.device || (one.type === other.type && one.bytes === other.bytes);

/** What the first checks of a folder found while it held no file: the files of a share mounted later were there before. */
const emptiness = z.strictObject({
  ...{ folder: z.string(), nodeId: z.number() },
  place: folderIdentity.required(),
});
type Look = { readonly folder: string; readonly nodeId: number; readonly place: FolderIdentity | undefined };

/** As it is stored; empty where nothing of it needs to be remembered. */
export const emptinessMark = ({ folder, nodeId, place }: Look): string =>
  place?.on ? JSON.stringify({ folder, nodeId, place }) : "";

/** Whether the first files of a folder were there before: their share was not mounted while the folder looked empty. */
export const wasMountedSince = (mark: string, { folder, nodeId, place }: Look): boolean => {
  if (mark === "" || !place?.on) return false;
  const before = emptiness.parse(JSON.parse(mark));
  if (before.folder !== folder) return false;
  // Devices of two nodes cannot be compared; a folder that the other node did not have may be a share that this one has.
  return before.nodeId === nodeId ? !isSameFileSystem(before.place.on, place.on) : !before.place.isThere;
};

/** What people are told of a folder without files; undefined if there is nothing to say. */
export const describeEmptyFolder = (
  look: Omit<Look, "folder">,
  before: SeenFileSystem | undefined,
  remembers: boolean,
): string | undefined => {
  const { place } = look;
  if (!place) return undefined;
  if (!place.isThere) return remembers ? `there is no such folder now: ${checkShare}` : "there is no such folder yet";
  if (!remembers || isEmptied(look, before)) return "it is empty";
  const isOther = place.on !== undefined && before?.nodeId === look.nodeId;
  if (isOther) return `it is empty, and on another file system than its files were: ${checkShare}`;
  return `it is empty; if files should be there: ${checkShare}`;
};

const checkShare = "check that its share is mounted; what was taken stays remembered";
