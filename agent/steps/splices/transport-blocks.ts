import type { FileHandle } from "node:fs/promises";
import { packetBytes } from "../../../media/formats/transport-packets.ts";
import type { StepContext } from "../step.ts";

/** About four megabytes. */
const packetsPerBlock = 22_000;

/**
 * All packets of a file in blocks, which are overwritten by the next; reports how far it is. In `.m2ts` files four bytes
 * stand before each packet.
 */
export async function* transportBlocks(
  file: FileHandle,
  { signal, onProgress }: Pick<StepContext, "signal" | "onProgress">,
  isTimed = false,
): AsyncGenerator<Buffer> {
  const { size } = await file.stat();
  const blockBytes = packetsPerBlock * (packetBytes + (isTimed ? 4 : 0));
  const block = Buffer.alloc(blockBytes);
  for (let at = 0; at < size; at += blockBytes) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(block, 0, blockBytes, at);
    yield block.subarray(0, bytesRead);
    onProgress({ percent: Math.min(100, ((at + bytesRead) / size) * 100) });
  }
}
