import { open } from "node:fs/promises";
import { createReadAt, type ReadAt } from "../disk/read-at.ts";

/** A box of an MP4 or QuickTime file; its payload is between the two offsets. */
export type Box = { readonly type: string; readonly from: number; readonly to: number };

/** Fragmented files of many hours have about ten thousand. */
const mostBoxes = 200_000;

/**
 * The consecutive boxes between two offsets, as far as their headers are readable; only headers are read. In a
 * truncated file, the last one may end beyond its limit. Empty if the bytes are not boxes.
 */
export const boxesWithin = async (readAt: ReadAt, from: number, to: number): Promise<Box[]> => {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to && boxes.length < mostBoxes; ) {
    const box = boxOf(await readAt(at, 16), at, to);
    if (!box) break;
    boxes.push(box);
    at = box.to;
  }
  return boxes;
};

/** Reads boxes of one file. Payloads of more than `mostBytes` are damaged: headers and edit lists are small. */
export const createBoxReader = (readAt: ReadAt, mostBytes: number) => ({
  /**
   * The boxes in a box; none if it is missing. One that claims to end beyond it is damaged: many such would share their
   * bytes, and a small file would take hours to read.
   */
  within: async (box: Box | undefined): Promise<Box[]> =>
    box ? (await boxesWithin(readAt, box.from, box.to)).filter(({ to }) => to <= box.to) : [],
  /** Undefined if the box is missing or damaged. */
  payload: async (box: Box | undefined): Promise<DataView | undefined> => {
    if (!box || box.to - box.from > mostBytes) return undefined;
    const { buffer, byteOffset, byteLength } = await readAt(box.from, box.to - box.from);
    return new DataView(buffer, byteOffset, byteLength);
  },
});

/** The first box of a type. */
export const named = (boxes: readonly Box[], type: string): Box | undefined => boxes.find((box) => box.type === type);

const boxOf = (head: Buffer, at: number, end: number): Box | undefined => {
  const type = head.toString("latin1", 4, 8);
  if (head.length < 8 || !/^[ -~\xa9]{4}$/.test(type)) return undefined;
  const small = head.readUInt32BE(0);
  if (small === 0) return { type, from: at + 8, to: end };
  const isLarge = small === 1 && head.length >= 16;
  const size = isLarge ? Number(head.readBigUInt64BE(8)) : small;
  const from = at + (isLarge ? 16 : 8);
  return at + size < from ? undefined : { type, from, to: at + size };
};

const first = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp"];

/** Whether a file that has stopped growing lacks its index or the end of its last box, and so is incomplete. */
export const isUnfinished = async (path: string): Promise<boolean> => {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  const boxes = await boxesWithin(createReadAt(file), 0, size);
  if (!first.includes(boxes[0]?.type ?? "")) return false;
  return !boxes.some(({ type }) => type === "moov") || (boxes.at(-1)?.to ?? 0) > size;
};
