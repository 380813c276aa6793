import type { ByteRange } from "./storage.ts";

/** The Range header for a part of a file; undefined for the whole file. */
export const rangeHeader = ({ from, length }: ByteRange): string | undefined => {
  if (from === 0 && length === undefined) return undefined;
  return `bytes=${from}-${length === undefined ? "" : from + length - 1}`;
};
