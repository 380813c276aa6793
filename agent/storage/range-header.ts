import type { ByteRange } from "./storage.ts";
import { StorageError } from "./storage-error.ts";

/** The Range header for a part of a file; undefined for the whole file. */
export const rangeHeader = ({ from, length }: ByteRange): string | undefined => {
  if (from === 0 && length === undefined) return undefined;
  return `bytes=${from}-${length === undefined ? "" : from + length - 1}`;
};

/** Throws if a part of a file (its `Content-Range`) begins elsewhere than asked for: its bytes would be joined to others. */
export const refuseOtherRange = (contentRange: string | undefined, from: number, uri: string): void => {
  if (contentRange?.startsWith(`bytes ${from}-`)) return;
  const said = contentRange === undefined ? "without its range" : `(${contentRange.slice(0, 100)})`;
  throw new StorageError("storage", `${uri}: the server sends other bytes than those asked for ${said}`);
};
