import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { share } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { fastH264, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Pictures are not counted: there is no ffmpeg or no ffprobe");

const all = [
  ["mp4", "h264"],
  ["mkv", "h264"],
  ["mpegts", "mpeg2"],
  ["mxf", "mpeg2"],
  ["avi", "mjpeg"],
  ["webm", "vp8"],
  ["mp2_program", "mpeg2"],
  ["nut", "h264"],
] as const;
const cases = share(all, ([kind]) => kind === "mkv" || kind === "mxf", 4);

describe.skipIf(!hasTools)("pictures are counted before anybody sees them", { timeout: 120_000 }, () => {
  test.each(cases)("in %s", async (kind, codec) => {
    await using folder = scratchFolder();
    const path = await make(
      join(folder.path, "in.mov"),
      ...["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=30:duration=2", ...fastH264({ between: 2 })],
    );
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
    const video = { codec, frame_rate: 25, bitrate_kb: 1000 };
    const target = { file_pattern: "x", container: { kind }, trim: { inpoint_sec: 0.4 }, video };
    const work = await node.work({ location: { path: join(folder.path, "out") }, targets: [target] }, assets);
    const expected = work.outputs.t0?.expect?.video;
    expect(expected?.frames?.count).toBe(40);
    await (await node.perform(work)).verified();
    if (expected) expected.frames = { count: 44, tolerance: 2 };
    await expect((await node.perform(work)).verified()).rejects.toThrow(/it has (39|40|41) pictures, 44 of the source/);
  });
});
