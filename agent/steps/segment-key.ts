import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hexOf } from "../../shared/packaging/keys.ts";
import type { Performer } from "./step.ts";

/** Writes the key and the three lines by which ffmpeg's HLS muxer finds it: address, file, initialisation vector. */
export const performSegmentKey: Performer<"segment_key"> = async (step, { scratch, secret, log }) => {
  const { key, iv, url, keyFile, infoFile } = step;
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const bytes = key === undefined ? randomBytes(16) : Buffer.from(hexOf(secret(key), "The key"), "hex");
  const lines = [url, join(scratch, keyFile), ...(iv === undefined ? [] : [hexOf(secret(iv), "The iv")])];
  await writeFile(join(scratch, keyFile), bytes, { mode: 0o600 });
  await writeFile(join(scratch, infoFile), `${lines.join("\n")}\n`, { mode: 0o600 });
  log.line(key === undefined ? "segment key: drawn by lot" : "segment key: the job's");
  return undefined;
};
