import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const file = (name: string) => join(folder.path, name);
afterAll(() => folder[Symbol.asyncDispose]());

const picture = "testsrc2=s=320x180:r=25:d=1,noise=alls=20:allf=t:all_seed=3";
const [width, height, frames] = [320, 180, 25];

const measured = async (name: string, levels: object) => {
  const inputs = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url: file(name) } });
  const payload = { deep_properties: { video: { levels: { enabled: true, histograms: true, ...levels } } } };
  // biome-ignore lint/suspicious/noExplicitAny: a tree of results, looked into by the assertions
  const found = (await node.results("analyze", payload, inputs)) as any;
  return found.deep_properties.video.levels.histograms;
};

/** The share of each class, by counting every sample: 4:2:0 and 4:2:2 alone. */
const counted = (name: string, format: string) => {
  const args = ["-v", "error", "-i", file(name), "-f", "rawvideo", "-pix_fmt", format, "-"];
  const bytes = execFileSync(ffmpegPath ?? "", args, { maxBuffer: 2 ** 28 });
  const isDeep = format.endsWith("10le");
  const samples = isDeep ? new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2) : bytes;
  const chroma = (width / 2) * (format.startsWith("yuv420") ? height / 2 : height);
  const size = width * height + 2 * chroma;
  const shares = (from: number, length: number): number[] => {
    const sums = Array.from({ length: 256 }, () => 0);
    for (let frame = 0; frame < frames; frame += 1)
      for (const value of samples.subarray(frame * size + from, frame * size + from + length)) {
        const bin = isDeep ? value >> 2 : value;
        sums[bin] = (sums[bin] ?? 0) + 1 / (length * frames);
      }
    return sums;
  };
  return {
    luma: shares(0, width * height),
    chroma_u: shares(width * height, chroma),
    chroma_v: shares(width * height + chroma, chroma),
  };
};

describe.skipIf(!hasTools)("histograms", () => {
  test.each([
    ["yuv420p", 1],
    ["yuv422p10le", 4],
  ])("of %s are what counting all samples gives", async (format, values) => {
    const name = `${format}.mkv`;
    await make(file(name), "-f", "lavfi", "-i", `${picture},format=${format}`, "-c:v", "ffv1", "-pix_fmt", format);
    const found = await measured(name, {});
    expect(found).toMatchObject({ frames, bins: 256, code_values_per_bin: values });
    for (const [plane, shares] of Object.entries(counted(name, format)))
      for (const [bin, share] of shares.entries())
        expect(Math.abs(found[plane][bin] - share), `${plane} ${bin}`).toBeLessThan(0.0006);
  });

  test("of many frames are of frames at equal distances, and of luma alone where chroma is not wanted", async () => {
    const halves = "color=c=black:s=64x64:r=50:d=20[a];color=c=white:s=64x64:r=50:d=20[b];[a][b]concat";
    await make(file("long.mkv"), "-f", "lavfi", "-i", `${halves},format=yuv420p`, "-c:v", "ffv1");
    const { luma, ...rest } = await measured("long.mkv", { chroma_levels: false });
    expect(rest).toEqual({ frames: 500, bins: 256, code_values_per_bin: 1 });
    expect([luma[16], luma[235]]).toEqual([0.5, 0.5]);
  });
});
