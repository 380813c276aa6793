import { open } from "node:fs/promises";
import { packetBytes, withNullPackets } from "../../shared/transport-packets.ts";
import { outputNamed } from "./named-files.ts";
import type { Performer } from "./step.ts";

/** Whole packets, about four megabytes. */
const blockBytes = packetBytes * 22_000;

/** Goes through the file once and changes it in place: its length, its clock and its rate stay. */
export const performNullPackets: Performer<"null_packets"> = async ({ of, pid }, context) => {
  const { log, signal, onProgress } = context;
  await using file = await open(outputNamed(of, context).made, "r+");
  const { size } = await file.stat();
  const block = Buffer.alloc(blockBytes);
  let changed = 0;
  for (let at = 0; at < size; at += blockBytes) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(block, 0, blockBytes, at);
    const count = withNullPackets(block.subarray(0, bytesRead), pid);
    if (count > 0) await file.write(block, 0, bytesRead, at);
    changed += count;
    onProgress({ percent: Math.min(100, ((at + bytesRead) / size) * 100) });
  }
  log.line(`made null packets of ${changed} packets with pid ${pid}`);
};
