import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a private file whole, with its name: a power cut leaves the file or what was there before. */
export const writeDurably = (file: string, content: string | Buffer, flag: "w" | "wx" = "w"): void => {
  const temp = `${file}.new`;
  writeFileSync(temp, content, { mode: 0o600, flag });
  flush(temp, "r+");
  renameSync(temp, file);
  // Windows cannot open folders; it makes names durable itself.
  if (process.platform !== "win32") flush(dirname(file), "r");
};

/** Flushes a file, or a folder's names (opened with `r`). */
export const flush = (path: string, flags: "r" | "r+"): void => {
  const opened = openSync(path, flags);
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
};
