import { open } from "node:fs/promises";
import { type ReadAt, readAtOf } from "./read-at.ts";

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
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const boxes = await boxesWithin(readAtOf(file), 0, size);
    if (!first.includes(boxes[0]?.type ?? "")) return false;
    return !boxes.some(({ type }) => type === "moov") || (boxes.at(-1)?.to ?? 0) > size;
  } finally {
    await file.close();
  }
};
