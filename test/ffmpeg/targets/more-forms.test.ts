import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rawFrames } from "../../helpers/media/filtered.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");
const mediaInfo = ["/usr/bin/mediainfo"].find((path) => existsSync(path));
if (!mediaInfo) console.warn("No second reader looks at the files: there is no mediainfo");

const film = ["-f", "lavfi", "-i", "testsrc2=size=192x108:rate=25:duration=1"];

const made = async (folder: string, source: string, ...targets: object[]): Promise<string[]> => {
  const node = mediaNode(folder);
  const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${source}` } });
  return (await node.perform(await node.work({ location: { path: join(folder, "out") }, targets }, assets))).paths;
};

describe.skipIf(!hasTools)("forms that ffmpeg does not choose by itself", { timeout: 60_000 }, () => {
  test("uncoded pictures of ten bits in 4:2:2 keep every number in QuickTime and AVI", async () => {
    await using folder = scratchFolder();
    const source = await make(join(folder.path, "in.mov"), ...film, "-pix_fmt", "yuv422p10le", "-c:v", "prores_ks");
    const target = (name: string) => ({ file_pattern: name, video: { codec: "raw", chroma_format: "yuv422p10le" } });
    const size = 192 * 108 * 4;
    const expected = (await rawFrames(source, size)).map((frame) => frame.toString("base64"));
    for (const path of await made(folder.path, source, target("a.mov"), target("a.avi"), {
      ...target("b.mov"),
      video: { codec: "raw" },
    })) {
      expect((await probe(path)).video[0]).toMatchObject({ codec: "v210", pixelFormat: "yuv422p10le" });
      expect((await rawFrames(path, size)).map((frame) => frame.toString("base64"))).toEqual(expected);
      if (mediaInfo) expect(execFileSync(mediaInfo, [path], { encoding: "utf8" })).toMatch(/Bit depth +: 10 bits/);
    }
  });

  test("broadcast wave files say at which sample since midnight they begin, and when their source was made", async () => {
    await using folder = scratchFolder();
    const tone = ["-f", "lavfi", "-i", "sine=frequency=440:duration=1:sample_rate=48000"];
    const source = await make(
      join(folder.path, "in.mov"),
      ...[...film, ...tone, "-c:v", "prores_ks", "-c:a", "pcm_s16le", "-timecode", "10:00:00:00"],
      ...["-metadata", "creation_time=2026-01-02T03:04:05Z"],
    );
    const sound = [{ codec: "pcm", pcm_wrapping: "bwf" }];
    const named = { kind: "wav", title: "Reel 4", author: "Studio" };
    const [whole = "", cut = ""] = await made(
      folder.path,
      source,
      { file_pattern: "a.wav", audio: sound, container: named },
      { file_pattern: "b.wav", audio: sound, container: { kind: "wav" }, trim: { inpoint_sec: 0.4 } },
    );
    const chunkOf = (path: string) => {
      const bytes = readFileSync(path);
      const at = bytes.indexOf("bext") + 8;
      const text = (from: number, length: number) =>
        bytes.toString("latin1", at + from, at + from + length).replace(/\0.*$/s, "");
      return [text(0, 256), text(256, 32), text(320, 10), text(330, 8), Number(bytes.readBigUInt64LE(at + 338))];
    };
    const madeAt = ["2026-01-02", "03:04:05"];
    expect(chunkOf(whole)).toEqual(["Reel 4", "Studio", ...madeAt, 36_000 * 48_000]);
    expect(chunkOf(cut)).toEqual(["", "Mediafarm", ...madeAt, 36_000.4 * 48_000]);
    // Such a file has no timecode: its own chunk says the same.
    const [again = ""] = await made(folder.path, whole, {
      ...{ file_pattern: "c.wav", audio: [{ ...sound[0], sample_rate: 44_100 }], container: { kind: "wav" } },
      trim: { inpoint_sec: 0.4 },
    });
    expect(chunkOf(again)).toEqual(["", "Mediafarm", ...madeAt, 36_000.4 * 44_100]);
  });

  test("a muxer's warning fails the target that says so, and no other", async () => {
    await using folder = scratchFolder();
    // From here the muxer of program streams does not learn how large the buffers of decoders are to be.
    const source = await make(join(folder.path, "in.avi"), ...film, "-c:v", "mpeg2video", "-q:v", "2");
    const target = (mux_warnings: string) => ({
      ...{ file_pattern: `${mux_warnings}.mpg`, video: { codec: "copy" } },
      container: { kind: "mp2_program", mux_warnings },
    });
    const [path = ""] = await made(folder.path, source, target("ignore"));
    expect((await probe(path)).video).toHaveLength(1);
    await expect(made(folder.path, source, target("as_errors"))).rejects.toThrow("The muxer warns, and mux_warnings");
  });

  test("config_string reaches the scaler, and takes only its own options", async () => {
    await using folder = scratchFolder();
    const source = await make(join(folder.path, "in.nut"), ...film, "-pix_fmt", "yuv420p", "-c:v", "rawvideo");
    const target = (name: string, config_string?: string) => ({
      ...{ file_pattern: `${name}.nut` },
      video: { codec: "raw", width: 96, height: 54, ...(config_string && { scaler: { config_string } }) },
    });
    const [plain = "", point = ""] = await made(folder.path, source, target("a"), target("b", "flags=neighbor"));
    const reference = await make(
      join(folder.path, "r.nut"),
      "-i",
      source,
      "-vf",
      "scale=96:54:flags=neighbor",
      "-c:v",
      "rawvideo",
    );
    const bytes = async (path: string) =>
      (await rawFrames(path, 96 * 54 * 1.5)).map((frame) => frame.toString("base64"));
    expect(await bytes(point)).toEqual(await bytes(reference));
    expect(await bytes(plain)).not.toEqual(await bytes(reference));
    await expect(made(folder.path, source, target("c", "w=10"))).rejects.toThrow('cannot have "w=10"');
  });
});
