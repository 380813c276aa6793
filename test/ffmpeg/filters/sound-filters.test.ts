import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filtered, soundOf } from "../../helpers/media/filtered.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const rate = 48_000;
const tones = [300, 500, 700, 60, 1100, 1300];

/** Two seconds of 5.1, a tone of its own in each channel. */
const surround = (folder: string) =>
  make(
    join(folder, "in.nut"),
    ...[
      "-f",
      "lavfi",
      "-i",
      `aevalsrc=${tones.map((tone) => `0.1*sin(2*PI*${tone}*t)`).join("|")}:c=5.1:s=${rate}:d=2`,
    ],
    ...["-c:a", "pcm_f32le"],
  );

/** How loud a tone is in one channel, as the amplitude of its sine. */
const amplitude = (
  samples: Float32Array,
  channels: number,
  channel: number,
  tone: number,
  perSecond = rate,
): number => {
  const count = Math.min(perSecond, Math.floor(samples.length / channels));
  let [real, imaginary] = [0, 0];
  for (let at = 0; at < count; at++) {
    const value = samples[at * channels + channel] ?? 0;
    real += value * Math.cos((2 * Math.PI * tone * at) / perSecond);
    imaginary += value * Math.sin((2 * Math.PI * tone * at) / perSecond);
  }
  return (2 * Math.hypot(real, imaginary)) / count;
};

const filter = (kind: string, payload: object, more: object = {}) => ({ filters: [{ kind, payload }], ...more });

describe.skipIf(!hasTools)("filters of sound", { timeout: 60_000 }, () => {
  test("mixdown mixes each channel by its level, and the target has what it makes", async () => {
    await using folder = scratchFolder();
    const path = await surround(folder.path);
    const levels = { center_mix_level_db: -6, surround_mix_level_db: -12, lfe_mix_level_db: -20, normalize: false };
    const made = await filtered(folder.path, path, { audio: filter("mixdown", { layout: "stereo", ...levels }) });
    const samples = await soundOf(made.path);
    expect((await probe(made.path)).audio[0]).toMatchObject({ channels: 2 });
    const heard = [0, 1].map((channel) => tones.map((tone) => amplitude(samples, 2, channel, tone).toFixed(3)));
    // Left and right as they are, centre at -6 dB, LFE at -20 dB in both, and each surround on its own side at -12 dB.
    expect(heard).toEqual([
      ["0.100", "0.000", "0.050", "0.010", "0.025", "0.000"],
      ["0.000", "0.100", "0.050", "0.010", "0.000", "0.025"],
    ]);
  });

  test("resample changes the rate and no tone", async () => {
    await using folder = scratchFolder();
    const path = await surround(folder.path);
    const made = await filtered(folder.path, path, {
      audio: filter("resample", { sample_rate: 32_000, quality: "high" }),
    });
    const samples = await soundOf(made.path);
    expect((await probe(made.path)).audio[0]).toMatchObject({ channels: 6, sampleRate: 32_000 });
    expect(samples.length).toBe(6 * 64_000);
    expect(tones.map((tone, at) => amplitude(samples, 6, at, tone, 32_000).toFixed(2))).toEqual(
      tones.map(() => "0.10"),
    );
  });

  test.each([
    ["keeps the pitch", true, 300],
    ["lets the pitch follow", false, 240],
  ])("tempo makes a track longer and %s", async (_name, pitch_correction, tone) => {
    await using folder = scratchFolder();
    const path = await surround(folder.path);
    const made = await filtered(folder.path, path, { audio: filter("tempo", { factor: 0.8, pitch_correction }) });
    const samples = await soundOf(made.path);
    expect(samples.length / 6 / rate).toBeCloseTo(2.5, 1);
    const [wanted, other] = [tone, 540 - tone].map((each) => amplitude(samples, 6, 0, each));
    expect(wanted).toBeGreaterThan(0.08);
    expect(other).toBeLessThan(0.03);
  });

  test("a chain in ffmpeg's words may change how long a sound is, and how many channels it has", async () => {
    await using folder = scratchFolder();
    const path = await surround(folder.path);
    const chain = { extenc_filter: "pan=stereo|FL=FC|FR=LFE,atempo=2" };
    const options = { position: "pre_convert" };
    const audio = { channels: 2, filters: [{ kind: "extenc", payload: chain, options }] };
    const made = await filtered(folder.path, path, { audio });
    const samples = await soundOf(made.path);
    expect(samples.length / 2 / rate).toBeCloseTo(1, 1);
    const count = 40_000;
    const half = samples.subarray(0, 2 * count);
    expect(amplitude(half, 2, 0, 700, rate)).toBeGreaterThan(0.07);
    expect(amplitude(half, 2, 1, 60, rate)).toBeGreaterThan(0.05);
  });
});
