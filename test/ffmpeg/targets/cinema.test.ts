import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";
import { mediaInfoPath } from "./pairs/look.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Digital cinema is not tried: there is no ffmpeg or no ffprobe");

/** The number of a profile, right behind the codestream's first marker and its length. */
const profileIn = (path: string): number => {
  const bytes = readFileSync(path);
  return bytes.readUInt16BE(bytes.indexOf(Buffer.from([0xff, 0x4f, 0xff, 0x51])) + 6);
};

describe.skipIf(!hasTools)("JPEG 2000 for digital cinema", { timeout: 60_000 }, () => {
  test("is a codestream of that profile, and keeps the picture's colours", async () => {
    await using folder = scratchFolder();
    const film = "color=0xb04020:size=256x128:rate=24:duration=0.1";
    const path = await make(
      join(folder.path, "in.mov"),
      "-f",
      "lavfi",
      "-i",
      film,
      "-pix_fmt",
      "yuv444p",
      "-c:v",
      "ffv1",
      "-f",
      "matroska",
    );
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
    const targets = ["cinema2k", "cinema4k"].map((profile) => ({
      file_pattern: `${profile}.j2c`,
      ...{ container: { kind: "j2k" }, video: { codec: "jpeg2000", profile } },
    }));
    const { paths } = await node.perform(
      await node.work({ location: { path: join(folder.path, "out") }, targets }, assets),
    );
    const [two = "", four = ""] = paths;
    expect([profileIn(two), profileIn(four)]).toEqual([3, 4]);
    const point = await ffmpeg(["-v", "error", "-i", two, "-vf", "crop=1:1,format=rgb24", "-f", "rawvideo", "-"]);
    for (const [index, wanted] of [0xb0, 0x40, 0x20].entries())
      expect(Math.abs((point[index] ?? 0) - wanted)).toBeLessThan(8);
    if (mediaInfoPath)
      expect(execFileSync(mediaInfoPath, [two], { encoding: "utf8" })).toMatch(/Format profile +: D-Cinema 2k\n/);
  });
});
