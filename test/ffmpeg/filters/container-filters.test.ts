import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { filtered, lumaOf, soundOf } from "../../helpers/media/filtered.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const [width, height] = [96, 64];

/** Two seconds whose pictures tell their number, with a tone of 1000 Hz. */
const film = (folder: string, rate: string): Promise<string> =>
  make(
    join(folder, "in.mkv"),
    ...["-f", "lavfi", "-i", `nullsrc=size=${width}x${height}:rate=${rate}:duration=2,geq=lum='16+N*4':cb=128:cr=128`],
    ...["-f", "lavfi", "-i", "sine=frequency=1000:duration=2:sample_rate=48000"],
    ...["-pix_fmt", "yuv420p", "-c:v", "ffv1", "-c:a", "pcm_s16le"],
  );

/** Oscillations a second, by counting where the middle of the sound crosses zero upwards. */
const pitchOf = (samples: Float32Array): number => {
  const middle = samples.subarray(Math.floor(samples.length / 4), Math.floor((samples.length * 3) / 4));
  const crossings = middle.reduce((count, value, at) => count + ((middle[at - 1] ?? 1) < 0 && value >= 0 ? 1 : 0), 0);
  return crossings / (middle.length / 48_000);
};

const container = (...filters: object[]) => ({ target: { container: { kind: "nut", filters } } });

describe.skipIf(!hasTools)("speed_change", { timeout: 60_000 }, () => {
  test.each(
    first([
      ["25/(24000/1001)", "24000/1001", "25/1", true],
      ["25/(24000/1001)", "24000/1001", "25/1", false],
      [2, "25", "50/1", true],
      [0.5, "25", "25/2", true],
      ["24 / source.video.frame_rate", "25", "24/1", true],
    ]),
  )(
    "by %s makes %s frames a second %s: every picture once, and voices as high as they were: %s",
    async (factor, from, to, pitch_correction) => {
      await using folder = scratchFolder();
      const path = await film(folder.path, from);
      const change = { kind: "speed_change", payload: { factor, pitch_correction } };
      const made = await filtered(folder.path, path, { video: {}, audio: {} }, container(change));
      const [source, found] = [await lumaOf(path, width, height), await lumaOf(made.path, width, height)];
      expect(found.map(({ data }) => data[0])).toEqual(source.map(({ data }) => data[0]));
      const { frameRate } = (await probe(made.path)).video[0] ?? {};
      expect(`${frameRate?.num}/${frameRate?.den}`).toBe(to);
      const [over, under] = to.split("/").map(Number);
      const speed = (over ?? 0) / (under ?? 1) / (source.length / 2);
      const samples = await soundOf(made.path);
      expect(Math.abs(samples.length / 48_000 - 2 / speed)).toBeLessThan(0.06);
      expect(Math.abs(pitchOf(samples) / (pitch_correction ? 1000 : 1000 * speed) - 1)).toBeLessThan(0.005);
    },
  );

  test("is refused for streams that are copied", async () => {
    await using folder = scratchFolder();
    const path = await film(folder.path, "25");
    const change = { kind: "speed_change", payload: { factor: 2 } };
    await expect(filtered(folder.path, path, { video: { codec: "copy" } }, container(change))).rejects.toThrow(
      "targets[0].container.filters: the speed of a stream that is copied cannot be changed",
    );
  });
});

describe.skipIf(!hasTools)("fade of a container", { timeout: 60_000 }, () => {
  test("is that of its picture and of its sound", async () => {
    await using folder = scratchFolder();
    const path = await film(folder.path, "25");
    const fade = { kind: "fade", payload: { mode: "out", start_sec: 1, duration_sec: 1 } };
    const made = await filtered(folder.path, path, { video: {}, audio: {} }, container(fade));
    const lumas = (await lumaOf(made.path, width, height)).map(({ data }) => data[0] ?? 0);
    const samples = await soundOf(made.path);
    const loudest = (from: number, to: number) => samples.slice(from, to).reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    expect([lumas[20], (lumas[49] ?? 255) < 30]).toEqual([16 + 20 * 4, true]);
    expect(loudest(95_000, 96_000) / loudest(0, 48_000)).toBeLessThan(0.03);
  });
});
