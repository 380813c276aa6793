import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { samples } from "../../helpers/media/clips.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { framesOf } from "../sources/exactness/measure.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

type Source = {
  readonly name: string;
  readonly rate: string;
  readonly codec: readonly string[];
  readonly pcm?: string;
};

const picture = (rate: string, size = "128x72") => [
  "-f",
  "lavfi",
  "-i",
  `testsrc2=size=${size}:rate=${rate}:duration=5`,
];
const noise = ["-f", "lavfi", "-i", "anoisesrc=sample_rate=48000:duration=5:seed=3"];

const madeIn = (folder: string, { name, rate, codec, pcm }: Source) => {
  const size = codec.includes("dvvideo") ? "720x576" : "128x72";
  const sound = pcm ? ["-c:a", pcm] : ["-an"];
  return make(join(folder, name), ...picture(rate, size), ...noise, ...codec, ...sound);
};

const sources: readonly Source[] = [
  { name: "prores.mov", rate: "30000/1001", codec: ["-c:v", "prores", "-pix_fmt", "yuv422p10le"], pcm: "pcm_s24le" },
  { name: "prores.mxf", rate: "25", codec: ["-c:v", "prores", "-pix_fmt", "yuv422p10le"], pcm: "pcm_s16le" },
  { name: "mpeg2.mxf", rate: "25", codec: ["-c:v", "mpeg2video", "-g", "1", "-q:v", "3"], pcm: "pcm_s16le" },
  { name: "mpeg2.ts", rate: "25", codec: ["-c:v", "mpeg2video", "-g", "1", "-q:v", "3"] },
  { name: "dv.mov", rate: "25", codec: ["-c:v", "dvvideo", "-pix_fmt", "yuv420p"], pcm: "pcm_s16le" },
  { name: "mjpeg.avi", rate: "50", codec: ["-c:v", "mjpeg", "-pix_fmt", "yuvj420p"], pcm: "pcm_s16le" },
  { name: "h264.mp4", rate: "60000/1001", codec: ["-c:v", "libx264", "-g", "1", "-preset", "ultrafast"] },
  { name: "ffv1.mkv", rate: "24000/1001", codec: ["-c:v", "ffv1", "-g", "1", "-pix_fmt", "yuv420p"], pcm: "pcm_f32le" },
];

const copied = async (folder: string, path: string, trim: object, audio: readonly object[]) => {
  const node = mediaNode(folder);
  const assets = await node.assets({ kind: "asset_url", payload: { url: path } });
  const name = /\.(?:avi|mkv)$/.test(path) ? "out.mkv" : "out.mov";
  const target = { file_pattern: name, existing_files: "replace", video: { codec: "copy" }, audio, trim };
  const { paths } = await node.perform(
    await node.work({ location: { path: join(folder, "out") }, targets: [target] }, assets),
  );
  return paths[0] ?? "";
};

describe.skipIf(!hasTools)("a part that is copied", { timeout: 60_000 }, () => {
  test.each(first(sources.map((source) => [source.name, source] as const)))(
    "of %s has the very frames and samples that were asked for",
    async (_name, source) => {
      await using folder = scratchFolder();
      const path = await madeIn(folder.path, source);
      const own = (await framesOf(path)).map(({ hash }) => hash);
      const [codec] = (await probe(path)).video.map((video) => video.codec);
      for (const [first, end] of [
        [0, 10],
        [15, 35],
        [100, own.length],
      ] as const) {
        const trim = { inpoint_frame: first, outpoint_frame: end };
        const out = await copied(folder.path, path, trim, source.pcm ? [{ codec: "copy" }] : []);
        const made = await framesOf(out);
        expect(made.map(({ hash }) => hash)).toEqual(own.slice(first, end));
        expect(made[0]?.time ?? -1).toBeCloseTo(0, 2);
        const facts = await probe(out);
        expect([facts.video[0]?.codec, facts.audio[0]?.codec]).toEqual([codec, source.pcm]);
        if (!source.pcm) continue;
        const [frames = 1, seconds = 1] = source.rate.split("/").map(Number);
        const at = (frame: number) => (frame * seconds * 48_000) / frames;
        const whole = await samples(path);
        expect(await samples(out)).toEqual(whole.slice(at(first), end === own.length ? undefined : at(end)));
      }
    },
  );

  test("is refused where pictures depend on others, or sound was compressed", async () => {
    await using folder = scratchFolder();
    const long = { name: "long.mp4", rate: "25", codec: ["-c:v", "libx264", "-g", "25", "-preset", "ultrafast"] };
    const path = await madeIn(folder.path, long);
    await expect(copied(folder.path, path, { inpoint_sec: 1 }, [])).rejects.toThrow(
      "video.codec copy cannot cut, for pictures of this h264 depend on others: a part of it needs an encoder",
    );
    const intra = { name: "aac.mov", rate: "25", codec: ["-c:v", "prores", "-pix_fmt", "yuv422p10le"], pcm: "aac" };
    const other = await madeIn(folder.path, intra);
    await expect(copied(folder.path, other, { inpoint_sec: 1 }, [{ codec: "copy" }])).rejects.toThrow(
      "audio[0].codec copy cannot cut aac: a part of the source needs an encoder",
    );
  });
});
