import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { fastH264, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";
import { framesOf } from "./exactness/measure.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const picture = (rate: string) => ["-f", "lavfi", "-i", `testsrc2=size=128x72:rate=${rate}:duration=8`];
const h264 = fastH264({ group: 25, between: 2 });
const half = ["-vf", "settb=1/90000,select='lt(mod(n,20),10)+not(mod(n,2))'", "-fps_mode", "passthrough"];

const made = async (folder: string, path: string, pipeline: object, options: object = {}, video: object = {}) => {
  const node = mediaNode(folder);
  const assets = await node.assets({ kind: "asset_url", payload: { url: path, options } });
  const target = { file_pattern: "out.nut", existing_files: "replace", video: { codec: "raw", ...video } };
  const work = await node.work(
    { location: { path: join(folder, "out") }, targets: [target], source_pipeline: pipeline },
    assets,
  );
  const { paths } = await node.perform(work);
  const [step] = work.steps;
  return { frames: await framesOf(paths[0] ?? ""), argv: step?.do === "ffmpeg" ? step.argv : [] };
};
const hashes = (frames: readonly { hash: string }[]) => frames.map(({ hash }) => hash);

describe.skipIf(!hasTools)("the source pipeline", { timeout: 60_000 }, () => {
  test("brings the film to its frame rate: frames are repeated or left out", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.mp4"), ...picture("25"), ...h264);
    const own = hashes(await framesOf(path));
    const twice = await made(folder.path, path, { frame_rate: 50 });
    expect(hashes(twice.frames)).toEqual(own.flatMap((hash) => [hash, hash]));
    expect((twice.frames[1]?.time ?? 0).toFixed(3)).toBe("0.020");
    const fewer = await made(folder.path, path, { frame_rate: "12.5" });
    expect([fewer.frames.length, new Set(hashes(fewer.frames)).size]).toEqual([100, 100]);
    const slowed = await made(folder.path, path, { frame_rate: "29.97" });
    expect([slowed.frames.length, (slowed.frames[1]?.time ?? 0).toFixed(4)]).toEqual([240, "0.0334"]);
  });

  test("reads from the beginning with no_seek, and finds the same frames", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.mp4"), ...picture("25"), ...h264);
    const trim = { inpoint_frame: 130, outpoint_frame: 150 };
    const [sought, read] = [
      await made(folder.path, path, { trim }),
      await made(folder.path, path, { trim, options: { no_seek: true } }),
    ];
    expect([sought.argv.includes("-ss"), read.argv.includes("-ss")]).toEqual([true, false]);
    expect(hashes(read.frames)).toEqual(hashes(await framesOf(path)).slice(130, 150));
    expect(hashes(read.frames)).toEqual(hashes(sought.frames));
  });

  test("makes a varying rate the one that is promised with force_ffr, asked of the source or of the pipeline", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.mp4"), ...picture("25"), ...half, ...h264);
    const varying = (await made(folder.path, path, {})).frames;
    expect(varying.length).toBeLessThan(170);
    const options = { force_ffr: true };
    const [fixed, own] = [await made(folder.path, path, { options }), await made(folder.path, path, {}, options)];
    const steps = new Set(
      fixed.frames.slice(1).map(({ time }, at) => (time - (fixed.frames[at]?.time ?? 0)).toFixed(3)),
    );
    expect(steps.size).toBe(1);
    // Where two frames of the source fall into one, the first of them is left out.
    expect(varying.length - new Set(hashes(fixed.frames)).size).toBeLessThan(2);
    expect(hashes(own.frames)).toEqual(hashes(fixed.frames));
  });

  test("gives ffmpeg the arguments of its list, and refuses others by name", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.mp4"), ...picture("25"), ...h264);
    const keys = await made(folder.path, path, { ffmpeg_source_args: "-skip_frame nokey -i {source_url}" });
    expect(hashes(keys.frames)).toEqual(hashes(await framesOf(path)).filter((_, at) => at % 25 === 0));
    await expect(made(folder.path, path, { ffmpeg_source_args: "-f concat -i {source_url}" })).rejects.toThrow(
      'transcode.payload.source_pipeline.ffmpeg_source_args: -f cannot have the value "concat"',
    );
  });

  test("says how pictures are scaled and dithered where a target does not", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.mp4"), ...picture("25"), ...h264);
    const pipeline = { scaler: { kind: "default", algorithm: "lanczos" }, chroma_dither_algorithm: "bayer" };
    const { argv, frames } = await made(folder.path, path, pipeline, {}, { width: 64, height: 36 });
    const graph = String(argv[argv.indexOf("-filter_complex") + 1]);
    expect([graph.includes("flags=lanczos"), graph.includes("sws_dither=bayer"), frames.length]).toEqual([
      true,
      true,
      200,
    ]);
    const bilinear = { ...pipeline, scaler: { kind: "default", algorithm: "bilinear" } };
    const other = await made(folder.path, path, bilinear, {}, { width: 64, height: 36 });
    expect(hashes(other.frames)).not.toEqual(hashes(frames));
  });
});
