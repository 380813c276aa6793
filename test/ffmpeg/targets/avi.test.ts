import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("AVI is not tried: there is no ffmpeg or no ffprobe");

const sounds = [{ codec: "mp3" }, { codec: "ac3" }, { codec: "mp2" }, { codec: "pcm" }];
const pairs = ["mpeg4", "mjpeg", "h264"].flatMap((codec) => sounds.map((sound) => [codec, sound] as const));

describe.skipIf(!hasTools)("a file of AVI", { timeout: 60_000 }, () => {
  test.each(first(pairs))(
    "of %s with %j has as many pictures as its header says, one for each time",
    async (codec, sound) => {
      await using folder = scratchFolder();
      const clips = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=30:d=1", "-f", "lavfi", "-i", "sine=r=48000:d=1"];
      const path = await make(join(folder.path, "in.mkv"), ...clips, "-c:v", "ffv1", "-c:a", "pcm_s16le");
      const node = mediaNode(folder.path);
      const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
      const target = { file_pattern: "o.avi", container: { kind: "avi" }, video: { codec }, audio: [sound] };
      const location = { path: join(folder.path, "out") };
      const { paths } = await node.made("transcode", { location, targets: [target] }, assets);
      const ask = [
        "-v",
        "error",
        "-select_streams",
        "v",
        "-show_entries",
        "stream=nb_frames:packet=dts",
        "-of",
        "json",
      ];
      const told = JSON.parse(execFileSync(ffprobePath ?? "", [...ask, paths[0] ?? ""], { encoding: "utf8" }));
      expect(told.streams[0].nb_frames).toBe("30");
      expect(told.packets.map(({ dts }: { dts: number }) => dts)).toEqual(Array.from({ length: 30 }, (_, at) => at));
    },
  );
});
