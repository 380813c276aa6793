import { open } from "node:fs/promises";
import { wrongPointersIn } from "../../../media/formats/program-packets.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer } from "../step.ts";

const blockBytes = 4 * 1024 * 1024;

/** Changes the file in place. */
export const performPacketPointers: Performer<"packet_pointers"> = async ({ of }, context) => {
  const { made: path, output } = outputNamed(of, context);
  await using file = await open(path, "r+");
  const block = new Uint8Array(blockBytes);
  let count = 0;
  for (let from = 0; ; ) {
    context.signal.throwIfAborted();
    const { bytesRead } = await file.read(block, 0, blockBytes, from);
    const { at, read } = wrongPointersIn(block.subarray(0, bytesRead));
    for (const place of at) await file.write(new Uint8Array(2), 0, 2, from + place);
    count += at.length;
    // No packet is as long as a block.
    if (bytesRead < blockBytes || read === 0) break;
    from += read;
  }
  context.log.line(`${count} packets of ${output.name} named a frame behind themselves`);
};
