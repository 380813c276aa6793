import { createHash } from "node:crypto";
import { appendFileSync, closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The end of a backup: the hash of everything before it. SQLite does not read beyond its own pages. */
const trailer = /^\nmediafarm backup sha256 ([0-9a-f]{64})\n$/;
const textOf = (sha256: string): string => `\nmediafarm backup sha256 ${sha256}\n`;
const trailerSize = textOf("0".repeat(64)).length;
const chunkSize = 1024 * 1024;

export const addTrailer = (file: string): void => appendFileSync(file, textOf(hashOf(file, sizeOf(file))));

/** What is wrong with the file's bytes, if anything. */
export const trailerProblem = (file: string): string | undefined => {
  const size = sizeOf(file) - trailerSize;
  const [, sha256] = size < 0 ? [] : (trailer.exec(readText(file, size)) ?? []);
  if (sha256 === undefined) return "it is cut off, or not a backup";
  return hashOf(file, size) === sha256 ? undefined : "its bytes have changed since it was written";
};

const withFile = <T>(file: string, use: (fd: number) => T): T => {
  const fd = openSync(file, "r");
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
};

const sizeOf = (file: string): number => withFile(file, (fd) => fstatSync(fd).size);

const readText = (file: string, from: number): string =>
  withFile(file, (fd) => {
    const bytes = Buffer.alloc(trailerSize);
    return bytes.toString("latin1", 0, readSync(fd, bytes, 0, trailerSize, from));
  });

/** SHA-256 of the file's first bytes. */
const hashOf = (file: string, size: number): string =>
  withFile(file, (fd) => {
    const [hash, bytes] = [createHash("sha256"), Buffer.alloc(chunkSize)];
    for (let at = 0; at < size; ) {
      const n = readSync(fd, bytes, 0, Math.min(chunkSize, size - at), at);
      if (n === 0) break;
      hash.update(bytes.subarray(0, n));
      at += n;
    }
    return hash.digest("hex");
  });
