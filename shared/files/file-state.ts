import { z } from "zod";
import { measured } from "../basics/bounds.ts";
import { type ListedFile, listedFile } from "./file-selection.ts";

/** A listed file, with what its storage tells of its state beyond size and time. */
export const taggedFile = listedFile.extend({
  /** The storage's own tag of this state, such as an ETag. */
  tag: z.string().max(1000).optional(),
  /** Of a node's own file: which one it is, and when anything about it last changed, in Unix milliseconds. */
  inode: z.strictObject({ id: z.string().max(100), changed: measured }).optional(),
});
export type TaggedFile = z.output<typeof taggedFile>;

/** One state of a file as it is stored. Inodes count only for the node that saw them. */
export const markOf = ({ size, modified, tag, inode }: Omit<TaggedFile, "uri">, nodeId: number): string => {
  const plain = `${size} ${modified}`;
  if (tag !== undefined) return `${plain} tag ${tag}`;
  return inode ? `${plain} inode ${nodeId} ${inode.id} ${inode.changed}` : plain;
};

/**
 * Whether a file is as it was when its mark was made: a file that changed after it was taken counts as a new one. Where
 * tags cannot be compared, size and time decide.
 */
export const isSameState = (mark: string, file: Omit<TaggedFile, "uri">, nodeId: number): boolean => {
  const [size, modified, kind, ...before] = mark.split(" ");
  if (size !== `${file.size}` || modified !== `${file.modified}`) return false;
  if (kind === "tag" && file.tag !== undefined) return before.join(" ") === file.tag;
  if (kind !== "inode" || !file.inode) return true;
  const [node, id, changed] = before;
  // A new inode alone tells nothing: some file systems number them anew. A new time of change may be a chmod.
  const isReplaced = node === `${nodeId}` && id !== file.inode.id && file.inode.changed > Number(changed);
  return !isReplaced;
};

/** Without what only watched folders compare. */
export const untagged = ({ uri, size, modified }: TaggedFile): ListedFile => ({ uri, size, modified });
