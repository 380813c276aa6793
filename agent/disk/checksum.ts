import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

type Reading = { readonly signal: AbortSignal; readonly moved: () => void };

/** SHA-256 of a whole file. Its bytes were just written, so that most of them come from memory. */
export const checksumOf = async (path: string, { signal, moved }: Reading): Promise<string> => {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: pieceBytes, signal })) {
    hash.update(piece);
    moved();
  }
  return `sha256:${hash.digest("hex")}`;
};

const pieceBytes = 1024 * 1024;
