import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

/** Reads the whole file from disk, because the checksum must match what is stored. */
export const performSidecar: Performer<"sidecar"> = async ({ of, to, before, after }, context) => {
  const hash = createHash("md5");
  await pipeline(createReadStream(outputNamed(of, context).made), hash, { signal: context.signal });
  const checksum = hash.digest("hex");
  context.log.line(`checksum ${checksum}`);
  await writeFile(outputNamed(to, context).made, `${before}${checksum}${after}`, { flag: "wx" });
};
