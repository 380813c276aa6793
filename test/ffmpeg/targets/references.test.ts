import { mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { fastH264, ffmpeg, ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";
import { mediaInfoPath, secondReading } from "./pairs/look.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Movies that refer to media are not made: there is no ffmpeg or no ffprobe");

describe.skipIf(!hasTools)("a movie that refers to its media", { timeout: 180_000 }, () => {
  test("lies at the target's place, has no media, and plays them from where they are, also once both have moved", async () => {
    await using folder = scratchFolder();
    const inputs = ["testsrc2=size=160x90:rate=25:duration=1", "sine=duration=1"].flatMap((each) => [
      ...["-f", "lavfi", "-i", each],
    ]);
    const source = await make(join(folder.path, "in.mp4"), ...inputs, ...fastH264(), "-c:a", "aac");
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${source}` } });
    const made = async (name: string, audio: object, references_location: object) => {
      const container = { kind: name.split(".")[1], references_location };
      const target = { file_pattern: name, container, video: { codec: "h264" }, audio: [audio] };
      const location = { path: join(folder.path, "both", "out") };
      return (await node.all("transcode", { location, targets: [target] }, assets)).made[0]?.paths ?? [];
    };
    const elsewhere = { path: join(folder.path, "both", "media", "of it") };
    const beside = { path: join(folder.path, "both", "out") };
    const [media = "", movie = ""] = await made("film.mov", { codec: "pcm" }, elsewhere);
    const [near = "", nearMovie = ""] = await made("near.mov", { codec: "aac" }, beside);
    const [part = "", partMovie = ""] = await made("film.mp4", { codec: "aac" }, elsewhere);
    expect([media, movie]).toEqual([
      join(folder.path, "both", "media", "of it", "film_media.mov"),
      join(folder.path, "both", "out", "film.mov"),
    ]);
    mkdirSync(join(folder.path, "moved"));
    const moved = (path: string) => path.replace(`${folder.path}/both`, join(folder.path, "moved", "all"));
    renameSync(join(folder.path, "both"), join(folder.path, "moved", "all"));
    for (const [file, refers] of [[media, movie] as const, [near, nearMovie] as const]) {
      expect(statSync(moved(refers)).size).toBeLessThan(8000);
      const own = await hashOf(moved(file));
      expect(own.split("\n").length).toBeGreaterThan(30);
      expect(await hashOf(moved(refers), "-enable_drefs", "1")).toBe(own);
    }
    // ffmpeg follows aliases alone: of MP4, the box is read here, and the index by MediaInfo.
    const bytes = await ffmpeg(["-v", "error", "-f", "data", "-i", moved(partMovie), "-map", "0", "-f", "data", "-"]);
    expect(bytes.toString("latin1")).toContain("url \0\0\0\0../media/of%20it/film_media.mp4\0");
    expect(statSync(moved(part)).size).toBeGreaterThan(bytes.length);
    if (mediaInfoPath) expect((await secondReading(moved(partMovie), "Video"))?.FrameCount).toBe("25");
  });

  test.each([
    ["a.mkv", {}, "references_location is for mov, mp4 and 3gp"],
    ["a.mov", { movflags: "frag_keyframe" }, "fragments lie beside their media"],
    ["a.mov", { references_location: { url: "s3://bucket/folder" } }, "is on another storage than the target"],
  ])("is refused in words where %s cannot be one: %j", async (file_pattern, more, words) => {
    await using folder = scratchFolder();
    const source = await make(
      join(folder.path, "in.mp4"),
      "-f",
      "lavfi",
      "-i",
      "testsrc2=s=160x90:d=0.2",
      ...fastH264(),
    );
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${source}` } });
    const container = { kind: file_pattern.split(".")[1], references_location: { path: folder.path }, ...more };
    const target = { file_pattern, container, video: { codec: "h264" } };
    const payload = { location: { path: join(folder.path, "out") }, targets: [target] };
    await expect(node.work(payload, assets)).rejects.toThrow(words);
  });
});

const hashOf = async (path: string, ...options: string[]): Promise<string> => {
  const streams = ["-map", "0:v", "-map", "0:a", "-c", "copy", "-f", "framemd5", "-"];
  return (await ffmpeg(["-v", "error", ...options, "-i", path, ...streams])).toString();
};
