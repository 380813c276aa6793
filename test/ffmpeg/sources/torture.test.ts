import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sourceVariables } from "../../../media/elements/source-variables.ts";
import { buildMediaInfo } from "../../../media/formats/media-info.ts";
import { share } from "../../helpers/long.ts";
import {
  compiledWith,
  ffmpegPath,
  ffprobePath,
  perform,
  probe,
  scratchFolder,
} from "../../helpers/media/media-tools.ts";
import { framesOf } from "./exactness/measure.ts";
import { clips } from "./torture/clips.ts";
import { readingOf } from "./torture/reading.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Torture clips are not tried: there is no ffmpeg or no ffprobe");

/** One of each family: pictures in fields, edits, rates that vary, and a file that is not what it says. */
const told = [
  "top field first",
  "two edits of one film",
  "a phone's varying rate",
  "a transport stream that breaks off",
];
const chosen = share(clips, ({ name }) => told.includes(name));

describe.skipIf(!hasTools)("a clip with", { timeout: 60_000 }, () => {
  test.each(chosen.map((clip) => [clip.name, clip] as const))(
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
      const info = buildMediaInfo(facts, { url: path });
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
