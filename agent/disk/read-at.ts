import type { FileHandle } from "node:fs/promises";

/** Reads `length` bytes of a file at an offset; fewer at the end of the file. */
export type ReadAt = (from: number, length: number) => Promise<Buffer>;

/** A disk reads at least this much at once. */
const pageSize = 4096;

/** Box headers are close together, so the page that was read is kept for the next read. */
export const createReadAt = (file: FileHandle): ReadAt => {
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
