import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toNumber } from "../../../shared/basics/rational.ts";
import { first } from "../../helpers/long.ts";
import { ffmpegPath, make, scratchFolder } from "../../helpers/media/media-tools.ts";
import { brightnessOf, samplesOf, sizeOf, stillOf, wholePreview, worstStep } from "./preview.ts";

const pitch = 440;
const seconds = 9;
const tone = (rate: number, length = seconds) => [
  "-f",
  "lavfi",
  "-i",
  `sine=f=${pitch}:r=${rate}:d=${length},volume=4`,
];
/** Each frame has a brightness of its own, so a lost, repeated or moved one shows. */
const ramp = (rate: string, length = seconds) => {
  const grey = "format=gray,geq=lum='32+mod(N*37,192)',format=yuv420p";
  return ["-f", "lavfi", "-i", `color=black:s=160x90:r=${rate}:d=${length},${grey}`];
};
const mpeg2 = ["-c:v", "mpeg2video", "-q:v", "2"];
const hevc = ["-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-preset", "ultrafast", "-x265-params", "log-level=none"];
const interlaced = [...mpeg2, "-flags", "+ildct+ilme", "-vf", "setfield=tff"];
const largest = (values: readonly number[]) => values.reduce((most, each) => Math.max(most, each), 0);

describe.skipIf(!ffmpegPath)(
  `segments of a preview that are made alone play as one${ffmpegPath ? "" : " (skipped: no ffmpeg)"}`,
  () => {
    test.each(
      first([
        ["ProRes and PCM in MOV", "a.mov", "25", 48_000, ["-c:v", "prores_ks", "-c:a", "pcm_s24le"]],
        ["interlaced MPEG-2 and PCM in MXF", "a.mxf", "30000/1001", 48_000, [...interlaced, "-c:a", "pcm_s16le"]],
        ["MPEG-2 and AC-3 in a transport stream", "a.ts", "25", 48_000, [...mpeg2, "-c:a", "ac3"]],
        ["a lossless film and PCM at 44.1 kHz in AVI", "a.avi", "24", 44_100, ["-c:v", "ffv1", "-c:a", "pcm_s16le"]],
        ["HEVC of 10 bits and AAC in MP4", "a.mp4", "24000/1001", 44_100, [...hevc, "-c:a", "aac"]],
      ]),
    )("of %s", async (_what, name, rate, sampleRate, codecs) => {
      await using folder = scratchFolder();
      const path = await make(join(folder.path, name), ...ramp(rate), ...tone(sampleRate), ...codecs);
      const { joined, preview, inits } = await wholePreview(path, folder.path);
      const [shown, own] = [await brightnessOf(joined), await brightnessOf(path)];
      expect({ inits, frames: shown.length }).toEqual({ inits: 1, frames: preview.steps });
      // The sound of some containers ends a little later than the picture.
      expect(shown.length - own.length).toBeOneOf([0, 1]);
      expect(largest(own.map((each, at) => Math.abs(each - (shown[at] ?? 0))))).toBeLessThan(5);
      const samples = await samplesOf(joined);
      const length = toNumber({ num: preview.rate.den, den: preview.rate.num }) * preview.steps * 48_000;
      expect(samples.length % 1024).toBe(0);
      expect(samples.length - length).toBeGreaterThanOrEqual(0);
      expect(samples.length - length).toBeLessThanOrEqual(1024);
      // One lost sample would be a step of a thousand.
      expect(worstStep(samples.subarray(2048, (seconds - 0.1) * 48_000), pitch)).toBeLessThan(30);
    });

    test("and stills are the frames of their steps", async () => {
      await using folder = scratchFolder();
      const path = await make(join(folder.path, "a.mov"), ...ramp("25", 3), "-c:v", "prores_ks");
      const own = await brightnessOf(path);
      const steps = [0, 1, 37, 74];
      const shown = await Promise.all(steps.map((step) => stillOf(path, folder.path, step)));
      expect(await Promise.all(shown.map(sizeOf))).toEqual(steps.map(() => "160x90 mjpeg"));
      const bright = await Promise.all(shown.map(async (still) => (await brightnessOf(still))[0] ?? 0));
      expect(largest(bright.map((each, at) => Math.abs(each - (own[steps[at] ?? 0] ?? 0))))).toBeLessThan(5);
    });

    test("of sound alone, mixed from two tracks of one channel each", async () => {
      await using folder = scratchFolder();
      const tracks = ["-map", "0:a", "-map", "1:a", "-c:a", "pcm_s16le"];
      const path = await make(join(folder.path, "a.mov"), ...tone(48_000), ...tone(48_000), ...tracks);
      const { joined, preview } = await wholePreview(path, folder.path);
      expect(preview).toMatchObject({ picture: null, hasSound: true });
      const samples = await samplesOf(joined);
      expect(samples.length).toBe(preview.steps * 1024);
      expect(worstStep(samples.subarray(2048, (seconds - 0.1) * 48_000), pitch)).toBeLessThan(30);
    });

    test("of a picture that is shorter than its sound, and of sound that is shorter than its picture", async () => {
      await using folder = scratchFolder();
      const codecs = ["-c:v", "prores_ks", "-c:a", "pcm_s16le"];
      const early = await make(join(folder.path, "early.mov"), ...ramp("25", 3), ...tone(48_000), ...codecs);
      const dark = await brightnessOf((await wholePreview(early, folder.path)).joined);
      expect([dark.length, dark[74], dark[74 + 12], largest(dark.slice(100))]).toEqual([225, dark[75], dark[75], 0]);
      const quiet = await make(join(folder.path, "quiet.mov"), ...ramp("25"), ...tone(48_000, 3), ...codecs);
      const { joined, preview } = await wholePreview(quiet, folder.path);
      const samples = await samplesOf(joined);
      expect([preview.steps, samples.length]).toEqual([225, 422 * 1024]);
      expect(largest([...samples.subarray(3.2 * 48_000)])).toBe(0);
    });

    test("of a film whose rate varies: each moment shows the frame that the film shows", async () => {
      await using folder = scratchFolder();
      const whole = await make(join(folder.path, "whole.mkv"), ...ramp("24"), "-c:v", "ffv1");
      const some = ["-vf", "select='not(mod(n,3))+lt(n,30)'", "-fps_mode", "passthrough", "-c:v", "ffv1"];
      const path = await make(join(folder.path, "some.mkv"), "-i", whole, ...some);
      const { joined, preview } = await wholePreview(path, folder.path);
      const [shown, every] = [await brightnessOf(joined), await brightnessOf(whole)];
      const at = (second: number) => shown[Math.floor((second * preview.rate.num) / preview.rate.den)] ?? 0;
      const misses = [108, 150, 186].map((frame) => Math.abs(at((frame + 1.5) / 24) - (every[frame] ?? 0)));
      expect(largest(misses)).toBeLessThan(6);
    });
  },
);
