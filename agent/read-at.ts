import type { FileHandle } from "node:fs/promises";

/** The bytes of a file from a place on: so many, or fewer at its end. */
export type ReadAt = (from: number, length: number) => Promise<Buffer>;

/** Disks give no less than this. */
const pageSize = 4096;

/** Heads of boxes lie close together: what a read brings beside what was asked for is kept for the next one. */
export const readAtOf = (file: FileHandle): ReadAt => {
  let page = { from: 0, bytes: Buffer.alloc(0) };
  const cached = (from: number, length: number): Buffer =>
    page.bytes.subarray(from - page.from, from - page.from + length);
  return async (from, length) => {
    if (from >= page.from && cached(from, length).length === length) return cached(from, length);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(pageSize, length)), { position: from });
    page = { from, bytes: buffer.subarray(0, bytesRead) };
    return cached(from, length);
  };
};
