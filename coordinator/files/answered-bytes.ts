import { AppError } from "../../shared/basics/errors.ts";

type Asked = { readonly from: number; readonly length: number; readonly size: number };

/**
 * The bytes of a node's piece, which are exactly as many as were asked of a file that is as large as it was. What is longer
 * would go into the next answer of the same connection. Throws AppError UNAVAILABLE where the node says anything else.
 */
export const bytesAsked = (told: { readonly size: number; readonly data: string }, asked: Asked): Buffer => {
  if (told.size !== asked.size)
    throw wrong(`a file of ${told.size} bytes, and not the one of ${asked.size} bytes that it had`);
  const bytes = decoded(told.data);
  const wanted = Math.min(asked.length, asked.size - asked.from);
  if (bytes.length !== wanted) throw wrong(`${bytes.length} bytes, and ${wanted} were asked`);
  return bytes;
};

/** All bytes of an answer of base64. Throws AppError UNAVAILABLE for other text, and above `most` bytes. */
export const bytesWithin = (data: string, most: number): Buffer => {
  const bytes = decoded(data);
  if (bytes.length > most) throw wrong(`${bytes.length} bytes, and at most ${most} are taken`);
  return bytes;
};

const decoded = (data: string): Buffer => {
  const bytes = Buffer.from(data, "base64");
  // Whatever is not base64 is skipped by the decoder without a word.
  if (bytes.toString("base64") !== data) throw wrong("text that is not base64");
  return bytes;
};

const wrong = (what: string): AppError => new AppError("UNAVAILABLE", `it answered ${what}`);
