import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mainVideo } from "../../../media/formats/stream-timing.ts";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { fastH264, ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { framesOf } from "./exactness/measure.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Variable rates are not tried: there is no ffmpeg or no ffprobe");

const picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2"];
const tone = ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=3"];

/** Pictures that are shown once, twice or three times as long. */
const uneven = ["-vf", "select='not(mod(n,7)*lt(mod(n,5),2))'", "-fps_mode", "vfr"];

const made = async (folder: string, path: string, target: object) => {
  const node = mediaNode(folder);
  const assets = await node.assets({ kind: "asset_url", payload: { url: path } });
  const payload = { location: { path: join(folder, "out") }, targets: [{ existing_files: "replace", ...target }] };
  const all = await node.all("transcode", payload, assets);
  return { path: all.made[0]?.paths[0] ?? "", warnings: all.warnings };
};

describe.skipIf(!hasTools)("pictures at no even rate", { timeout: 120_000 }, () => {
  test.each(
    first([
      ["out.mxf", { codec: "mpeg2" }, "mpeg2"],
      ["out.ts", { codec: "mpeg2" }, "mpeg2"],
      ["dnxhd.mxf", { codec: "dnxhd" }, "mxf"],
      ["out.mpg", { codec: "mpeg1" }, "mpeg1"],
      ["jpeg2000.mxf", { codec: "jpeg2000" }, "mxf"],
    ] as const),
  )("are repeated at the source's rate in %s, which the result tells", async (file_pattern, video, holder) => {
    await using folder = scratchFolder();
    const source = await make(
      join(folder.path, "in.mp4"),
      ...picture,
      ...uneven,
      ...fastH264({ group: 12, between: 0 }),
    );
    const { path, warnings } = await made(folder.path, source, { file_pattern, video });
    expect(await framesOf(path)).toHaveLength(50);
    expect(warnings).toContain(
      `transcode.payload.targets[0].video: the source's pictures are at no even rate, and ${holder} has one: 25 a second`,
    );
  });

  test("become as many as MXF has a rate for, which the result tells, and a foreign rate of the job is refused", async () => {
    await using folder = scratchFolder();
    const few = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=15:duration=2"];
    const source = await make(join(folder.path, "in.mp4"), ...few, ...fastH264({ group: 12, between: 0 }));
    const target = { file_pattern: "out.mxf", video: { codec: "h264" } };
    const { path, warnings } = await made(folder.path, source, target);
    expect(await framesOf(path)).toHaveLength(60);
    expect(warnings).toContain(
      "transcode.payload.targets[0].video: the source's pictures are at 15 a second, and mxf has one: 30 a second",
    );
    await expect(made(folder.path, source, { ...target, video: { codec: "h264", frame_rate: 15 } })).rejects.toThrow(
      "targets[0].video.frame_rate 15: mxf has 24000/1001, 24, 25",
    );
  });

  test.each(
    first([
      ["25/2", "out.ts", "mpeg2", "25", 50],
      ["100", "out.mpg", "mpeg2", "50", 100],
      ["15", "out.ts", "mpeg1", "30", 60],
      ["240", "out.mkv", "mpeg2", "60", 120],
    ] as const),
  )(
    "at %s a second become as many as a codec has a rate for (%s, %s, %s)",
    async (rate, file_pattern, codec, to, count) => {
      await using folder = scratchFolder();
      const film = ["-f", "lavfi", "-i", `testsrc2=size=320x180:rate=${rate}:duration=2`];
      const source = await make(join(folder.path, "in.mp4"), ...film, ...fastH264({ group: 12, between: 0 }));
      const { path, warnings } = await made(folder.path, source, { file_pattern, video: { codec } });
      expect((await framesOf(path)).length).toBe(count);
      expect(warnings).toContain(
        `transcode.payload.targets[0].video: the source's pictures are at ${rate} a second, and ${codec} has one: ${to} a second`,
      );
    },
  );

  test("keep their times in MPEG-4, whose clock counts fewer ticks", async () => {
    await using folder = scratchFolder();
    const source = await make(
      join(folder.path, "in.mp4"),
      ...picture,
      ...uneven,
      ...fastH264({ group: 12, between: 0 }),
    );
    const { path, warnings } = await made(folder.path, source, { file_pattern: "out.mkv", video: { codec: "mpeg4" } });
    const times = async (file: string) => (await framesOf(file)).map(({ time }) => Math.round(time * 1000));
    expect(await times(path)).toEqual(await times(source));
    expect(warnings).toEqual([]);
  });

  test("are those of a film that begins between two of them, at a rate that the job names as well", async () => {
    await using folder = scratchFolder();
    const film = await make(join(folder.path, "film.mp4"), ...picture, ...fastH264({ group: 12, between: 0 }));
    const late = ["-itsoffset", "0.51", "-i", film, ...tone, "-map", "0:v", "-map", "1:a", "-c:v", "copy"];
    const source = await make(join(folder.path, "in.mov"), ...late, "-c:a", "pcm_s16le");
    for (const more of [{}, { frame_rate: 25 }]) {
      const target = { file_pattern: "out.mxf", video: { codec: "mpeg2", ...more }, audio: [{ codec: "pcm" }] };
      const { path } = await made(folder.path, source, target);
      const facts = await probe(path);
      // The first picture stands for the half second before it, so that the others are in time with the sound.
      expect(await framesOf(path)).toHaveLength(63);
      expect(mainVideo(facts)?.frameRate).toEqual({ num: 25, den: 1 });
    }
  });
});
