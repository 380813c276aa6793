import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Guessed rates are not tried: there is no ffmpeg or no ffprobe");

/** What ffprobe says of the pictures. */
const ffprobe = async (...argv: string[]): Promise<unknown> => {
  const { stdout } = await promisify(execFile)(ffprobePath ?? "", [
    ...["-v", "error", "-of", "json", "-select_streams", "v"],
    ...argv,
  ]);
  return JSON.parse(stdout).streams[0];
};

describe.skipIf(!hasTools)("a Matroska file of 60000/1001, whose rate ffmpeg guesses", { timeout: 120_000 }, () => {
  test.each([
    ["mxf", "h264"],
    ["mxf", "mpeg2"],
    ["mov", "h264"],
    ["avi", "mpeg4"],
  ])("keeps rate and pictures in %s with %s", async (kind, codec) => {
    await using folder = scratchFolder();
    const path = await make(
      join(folder.path, "in.mkv"),
      ...["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=60000/1001:duration=1", "-c:v", "ffv1"],
    );
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
    const target = { file_pattern: "x", container: { kind }, video: { codec, bitrate_kb: 1000 } };
    const work = await node.work({ location: { path: join(folder.path, "out") }, targets: [target] }, assets);
    const { paths, verified } = await node.perform(work);
    await verified();
    const said = await ffprobe("-count_frames", "-show_entries", "stream=r_frame_rate,nb_read_frames", ...paths);
    expect(said).toMatchObject({ r_frame_rate: "60000/1001", nb_read_frames: "60" });
  });
});
