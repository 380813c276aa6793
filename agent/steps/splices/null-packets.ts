import { open } from "node:fs/promises";
import { withNullPackets } from "../../../media/formats/transport-packets.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";
import { transportBlocks } from "./transport-blocks.ts";

/** Goes through the file once and changes it in place: its length, its clock and its rate stay. */
export const performNullPackets: Performer<"null_packets"> = async ({ of, pid }, context) => {
  await using file = await open(outputNamed(of, context).made, "r+");
  let [at, changed] = [0, 0];
  for await (const block of transportBlocks(file, context)) {
    const count = withNullPackets(block, pid);
    if (count > 0) await file.write(block, 0, block.length, at);
    at += block.length;
    changed += count;
  }
  context.log.line(`made null packets of ${changed} packets with pid ${pid}`);
};
