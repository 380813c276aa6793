import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mediaInfoOf } from "../../shared/media-info.ts";
import { sourceVariables } from "../../shared/source-variables.ts";
import { compiledWith, ffmpegPath, ffprobePath, perform, probe, scratchFolder } from "../helpers/media-tools.ts";
import { framesOf } from "./exactness/measure.ts";
import { clips } from "./torture/clips.ts";
import { readingOf } from "./torture/reading.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Torture clips are not tried: there is no ffmpeg or no ffprobe");

describe.skipIf(!hasTools)("a clip with", { timeout: 60_000 }, () => {
  test.each(clips.map((clip) => [clip.name, clip] as const))(
    "%s",
    async (_name, { file, make, reads, frames, told }) => {
      await using folder = scratchFolder();
      const path = join(folder.path, file);
      await make(path);
      if (reads instanceof RegExp) {
        await expect(probe(path)).rejects.toThrow(reads);
        return;
      }
      const facts = await probe(path);
      expect(readingOf(facts)).toEqual(reads);
      const info = mediaInfoOf(facts, { url: path });
      expect({ source: sourceVariables(facts), info: info.map((each) => ({ ...each })) }).toMatchObject(told ?? {});
      if (frames === undefined) return;
      const target = { file_pattern: "out.nut", video: { codec: "raw" } };
      const work = compiledWith(facts, "transcode", { location: { path: folder.path }, targets: [target] }, path);
      const [out = ""] = await perform(work, path, folder.path);
      const made = await framesOf(out);
      expect(made).toHaveLength(frames);
      expect(made.every(({ time }, at) => at === 0 || time > (made[at - 1]?.time ?? 0))).toBe(true);
    },
  );
});
