import { open } from "node:fs/promises";
import { createStampReader } from "../../media/formats/clock-stamps.ts";
import { createClockFollower } from "../../media/formats/clock-timeline.ts";
import { hasClock } from "../../media/formats/stream-timing.ts";
import { clockedStreams, withClock } from "../../media/formats/with-clock.ts";
import type { MediaFacts } from "../../shared/model/asset.ts";
import type { ResolvedFile } from "../paths/resolved-paths.ts";

const blockBytes = 4 * 1024 * 1024;

/** Adds to the facts of a transport or program stream what its clock does; the whole stream is read for it. */
export const withClockOf = async (
  facts: MediaFacts,
  files: readonly ResolvedFile[],
  signal: AbortSignal,
): Promise<MediaFacts> => {
  if (!hasClock(facts) || files.some(({ remote, copy }) => remote && !copy)) return facts;
  const { ids, picture } = clockedStreams(facts);
  const follower = createClockFollower(ids, picture);
  const reader = createStampReader(facts.format, follower.see);
  const block = Buffer.alloc(blockBytes);
  for (const { path, from = 0, length, size } of files) {
    await using file = await open(path, "r");
    const end = Math.min(size, length === undefined ? size : from + length);
    for (let at = from; at < end; ) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(block, 0, Math.min(blockBytes, end - at), at);
      if (bytesRead === 0) break;
      reader.feed(block.subarray(0, bytesRead));
      at += bytesRead;
    }
  }
  return withClock(facts, follower.timeline(), reader.pictures);
};
