import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Timecode tracks are not tried: there is no ffmpeg or no ffprobe");

const starts = ["01:00:00:00", "10:11:12;14", "00:00:00:05"];

/** A film of two seconds at 29.97 with these timecodes. */
const withTimecodes = async (folder: string, kind: string, values: readonly string[]) => {
  const film = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30000/1001:d=2", "-f", "lavfi", "-i", "sine=d=2"];
  await make(join(folder, "in.mkv"), ...film, "-c:v", "ffv1", "-pix_fmt", "yuv420p");
  const node = mediaNode(folder);
  const url = join(folder, "in.mkv");
  const inputs = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url } });
  const target = {
    ...{ file_pattern: `out.${kind}`, existing_files: "replace", container: { kind, enable_data_tracks: true } },
    ...{ video: { codec: kind === "mxf" ? "mpeg2" : "h264" }, audio: [{ codec: kind === "mxf" ? "pcm" : "aac" }] },
    timecode: values.map((start_value) => ({ source: "start_value", start_value })),
  };
  const { paths, verified } = await node.made(
    "transcode",
    { location: { path: join(folder, kind) }, targets: [target] },
    inputs,
  );
  await verified();
  return paths[0] ?? "";
};

const decoded = async (path: string): Promise<string> =>
  (await ffmpeg(["-v", "error", "-i", path, "-map", "0:v", "-map", "0:a", "-f", "md5", "-"])).toString();

describe.skipIf(!hasTools)("timecode tracks", { timeout: 120_000 }, () => {
  test.each(["mov", "mp4"])(
    "of %s are as many as are asked for, and pictures and sound stay as they are",
    async (kind) => {
      await using folder = scratchFolder();
      const before = await decoded(await withTimecodes(folder.path, kind, starts.slice(0, 1)));
      const path = await withTimecodes(folder.path, kind, starts);
      const entries = "stream=codec_tag_string:stream_tags=timecode";
      const argv = ["-v", "error", "-select_streams", "d", "-show_entries", entries, "-of", "json", path];
      const env = { GCONV_PATH: "/nonexistent" };
      const { streams } = JSON.parse(execFileSync(ffprobePath ?? "", argv, { encoding: "utf8", env }));
      expect(streams.map((each: { tags: { timecode: string } }) => each.tags.timecode)).toEqual(starts);
      expect(await decoded(path)).toBe(before);
    },
  );

  test("of MXF are one, and more are refused by name", async () => {
    await using folder = scratchFolder();
    await expect(withTimecodes(folder.path, "mxf", starts)).rejects.toThrow(/timecode\[1\] is not implemented for mxf/);
  });
});
