import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (name: string) => join(folder.path, name);
afterAll(() => folder[Symbol.asyncDispose]());

/** Reads the format from its description, not with the program's own code. */
const readBif = (path: string) => {
  const bytes = readFileSync(path);
  expect(bytes.subarray(0, 8).toString("hex")).toBe("894249460d0a1a0a");
  const [version, count, multiplier] = [8, 12, 16].map((offset) => bytes.readUInt32LE(offset));
  const entries = Array.from({ length: (count ?? 0) + 1 }, (_, n) => [
    bytes.readUInt32LE(64 + 8 * n),
    bytes.readUInt32LE(68 + 8 * n),
  ]);
  expect(entries.at(-1)).toEqual([0xffffffff, bytes.length]);
  const pictures = entries.slice(0, -1).map(([, from], n) => bytes.subarray(from, entries[n + 1]?.[1]));
  return { version, multiplier, stamps: entries.slice(0, -1).map(([stamp]) => stamp), pictures };
};

/** The brightness of a picture, as ffmpeg decodes it. */
const greyOf = (picture: Buffer): number => {
  writeFileSync(at("one.jpg"), picture);
  const words = ["-v", "error", "-i", at("one.jpg"), "-vf", "scale=1:1,format=gray", "-f", "rawvideo", "-"];
  return execFileSync(ffmpegPath ?? "", words)[0] ?? 0;
};

describe.skipIf(!hasTools)("a BIF file", () => {
  test("has a still of every interval, in order, taken at its time", async () => {
    // Brightness is the time: 20 a second.
    const film = "color=black:s=640x360:r=25:d=9,format=gray,geq=lum='20*floor(T)+30'";
    await make(at("film.mp4"), "-f", "lavfi", "-i", film, "-c:v", "libx264", "-preset", "ultrafast", "-qp", "1");
    const inputs = [{ version: "t", files: [{ uri: `file://${at("film.mp4")}` }] }];
    const payload = { location: { path: folder.path }, timestamp_multiplier: 2000, existing_files: "replace" };
    await node.made("bif_creator", payload, inputs);
    const { version, multiplier, stamps, pictures } = readBif(at("film.bif"));
    expect({ version, multiplier, stamps }).toEqual({ version: 0, multiplier: 2000, stamps: [0, 1, 2, 3, 4] });
    for (const [n, picture] of pictures.entries()) expect(Math.abs(greyOf(picture) - (40 * n + 30))).toBeLessThan(16);
  });

  test("is made of pictures that came in, byte by byte", async () => {
    const pictures = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=1:d=3", "-start_number", "0"];
    await make(at("p_%d.jpg"), ...pictures);
    const files = [0, 1, 2].map((n) => ({ uri: `file://${at(`p_${n}.jpg`)}` }));
    await node.made("bif_creator", { location: { path: folder.path }, base_name: "thumbs" }, [{ version: "t", files }]);
    const { pictures: found, multiplier } = readBif(at("thumbs.bif"));
    expect(multiplier).toBe(10_000);
    expect(found.map((each) => each.toString("hex"))).toEqual(
      [0, 1, 2].map((n) => readFileSync(at(`p_${n}.jpg`)).toString("hex")),
    );
  });

  test("is made of what a playlist plays, beside which texts may come in", async () => {
    const film = [{ version: "t", files: [{ uri: `file://${at("film.mp4")}` }] }];
    const target = { file_pattern: "cut.m3u8", container: { kind: "hls", segment_duration_sec: 3 } };
    const video = { codec: "h264", preset: "ultrafast", crf: 10 };
    await node.made("transcode", { location: { path: folder.path }, targets: [{ ...target, video }] }, film);
    const inputs = ["cut.m3u8", "cues.vtt"].map((name) => ({ version: name, files: [{ uri: `file://${at(name)}` }] }));
    const payload = { location: { path: folder.path }, base_name: "played", timestamp_multiplier: 2000 };
    await node.made("bif_creator", payload, inputs);
    const { pictures } = readBif(at("played.bif"));
    expect(pictures).toHaveLength(5);
    for (const [n, picture] of pictures.entries()) expect(Math.abs(greyOf(picture) - (40 * n + 30))).toBeLessThan(16);
  });

  test("of nothing with a picture is refused", async () => {
    await make(at("sound.wav"), "-f", "lavfi", "-i", "sine=d=0.2");
    const inputs = [{ version: "t", files: [{ uri: `file://${at("sound.wav")}` }] }];
    await expect(node.made("bif_creator", { location: { path: folder.path } }, inputs)).rejects.toThrow(
      "has no picture to index",
    );
  });
});
