import { execFileSync } from "node:child_process";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

/** Two seconds of ProRes at 25 frames a second, of which these frames are damaged. */
const damaged = async (path: string, frames: readonly number[]): Promise<string> => {
  const film = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2"];
  await make(path, ...film, "-c:v", "prores_ks", "-threads", "1");
  const argv = ["-v", "error", "-show_entries", "packet=pos,size", "-of", "json", path];
  const env = { ...process.env, GCONV_PATH: "/nonexistent" };
  const { packets } = JSON.parse(execFileSync(ffprobePath ?? "ffprobe", argv, { encoding: "utf8", env }));
  const file = openSync(path, "r+");
  for (const frame of frames) {
    const { pos, size } = packets[frame];
    const length = Math.floor(Number(size) / 4);
    writeSync(file, Buffer.alloc(length, 0xa5), 0, length, Number(pos) + 2 * length);
  }
  closeSync(file);
  return path;
};

const transcoded = async (folder: string, source: string, options?: object) => {
  const node = mediaNode(folder);
  const assets = await node.assets({ kind: "asset_url", payload: { url: source } });
  const target = { file_pattern: "out.mov", video: { codec: "h264", preset: "ultrafast", crf: 0 } };
  const pipeline = options && { source_pipeline: { options } };
  const work = await node.work({ location: { path: join(folder, "out") }, targets: [target], ...pipeline }, assets);
  const { paths, log } = await node.perform(work);
  return { path: paths[0] ?? "", log };
};

describe.skipIf(!hasTools)("with real ffmpeg", { timeout: 60_000 }, () => {
  test("a damaged frame fails the task with its number, unless damage is tolerated", async () => {
    await using folder = scratchFolder();
    const source = await damaged(join(folder.path, "in.mov"), [10, 20, 21, 22]);
    const wrong = /^pipeline error: OTT::video decode error: too many errors \(\d+\) at \d+$/;
    await expect(transcoded(folder.path, source)).rejects.toThrow(wrong);
    await expect(transcoded(folder.path, source, { max_decode_errors: 3 })).rejects.toThrow("too many errors (4) at");
    const { path } = await transcoded(folder.path, source, { max_decode_errors: 4 });
    expect((await probe(path)).video[0]?.frames).toBe(50);
  });

  test("errors in a row are limited by themselves", async () => {
    await using folder = scratchFolder();
    const source = await damaged(join(folder.path, "in.mov"), [10, 20, 21, 22]);
    const wrong = "pipeline error: OTT::video decode error: too many sequential errors (3) at";
    await expect(transcoded(folder.path, source, { max_sequential_decode_errors: 2 })).rejects.toThrow(wrong);
    const { log } = await transcoded(folder.path, source, { max_sequential_decode_errors: 3 });
    expect(log).not.toContain("decoder ->");
  });

  test.each([
    [
      "H.264 with open groups",
      ["-c:v", "libx264", "-preset", "ultrafast", "-x264-params", "open-gop=1:keyint=24:bframes=2:scenecut=0"],
    ],
    ["MPEG-2", ["-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-b:v", "2M"]],
  ])("reading that begins in the middle of %s is no damage", async (_name, codec) => {
    await using folder = scratchFolder();
    const source = join(folder.path, "in.ts");
    await ffmpeg(["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=12", ...codec, source]);
    const node = mediaNode(folder.path);
    const [asset] = await node.assets({ kind: "asset_url", payload: { url: source, trim: { inpoint_sec: 9 } } });
    const target = { file_pattern: "out.mov", video: { codec: "h264", preset: "ultrafast" } };
    const work = await node.work({ location: { path: folder.path }, targets: [target] }, asset ? [asset] : []);
    const { paths } = await node.perform(work);
    expect((await probe(paths[0] ?? "")).video[0]?.frames).toBe(75);
  });
});
