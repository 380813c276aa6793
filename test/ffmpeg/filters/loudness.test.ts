import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { filtered, soundOf } from "../../helpers/media/filtered.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

/** Debian's build, beside the one that the node uses: a second opinion. */
const otherBuild = existsSync("/usr/bin/ffmpeg") ? "/usr/bin/ffmpeg" : (ffmpegPath ?? "");

/** Loudness and true peak by the meter of EBU R 128, to a hundredth. */
const heard = async (path: string): Promise<{ readonly integrated: number; readonly truePeak: number }> => {
  const args = [
    "-nostats",
    "-i",
    path,
    "-af",
    "ebur128=peak=true:metadata=1,ametadata=print:file=-",
    "-f",
    "null",
    "-",
  ];
  const { stdout, stderr } = await promisify(execFile)(otherBuild, args, { maxBuffer: 1 << 28 });
  const integrated = Number(
    stdout
      .match(/lavfi\.r128\.I=(\S+)/g)
      ?.at(-1)
      ?.split("=")[1],
  );
  const truePeak = Number(/Peak:\s+(\S+) dBFS/.exec(stderr)?.[1]);
  return { integrated, truePeak };
};

/** Noise that is loud, quiet and in between: a programme with a range. */
const programme = (folder: string, gain: number): Promise<string> =>
  make(
    join(folder, "in.wav"),
    ...["-f", "lavfi", "-i", "anoisesrc=d=8:r=48000:seed=3:color=pink:a=0.5", "-af"],
    ...[`volume=${gain},volume=volume='if(lt(mod(t,4),2),1,0.4)':eval=frame,aformat=channel_layouts=stereo`],
  );

const normalize = (kind: string, payload: object) => ({ filters: [{ kind: "normalize", payload: { kind, payload } }] });

describe.skipIf(!hasTools)("normalize", { timeout: 120_000 }, () => {
  test.each(
    first([
      ["the usual target", "ebur128", {}, 0.3, -23],
      ["a target of the job", "ebur128", { integrated_lufs: -31, true_peak_dbfs: -3 }, 0.5, -31],
      ["the rules of a region", "dolby_professional_loudness", { regulation_type: "atsc_a85_fixed" }, 0.2, -24],
      [
        "a target by hand",
        "dolby_professional_loudness",
        { regulation_type: "manual", loudness_target: -27 },
        0.3,
        -27,
      ],
    ]),
  )(
    "brings sound to %s within a tenth of a unit, by measuring it first",
    async (_name, kind, payload, gain, target) => {
      await using folder = scratchFolder();
      const path = await programme(folder.path, gain);
      const before = await heard(path);
      const made = await filtered(folder.path, path, { audio: normalize(kind, payload) });
      const after = await heard(made.path);
      expect(Math.abs(before.integrated - target)).toBeGreaterThan(1);
      expect(Math.abs(after.integrated - target)).toBeLessThanOrEqual(0.1);
      // One gain for all of it: the sound itself is the same.
      const [source, found] = [await soundOf(path), await soundOf(made.path)];
      const gains = [...source].flatMap((value, at) => (Math.abs(value) > 0.005 ? [(found[at] ?? 0) / value] : []));
      expect(found.length).toBe(source.length);
      const [least, most] = [gains.reduce((a, b) => Math.min(a, b)), gains.reduce((a, b) => Math.max(a, b))];
      expect(most / least).toBeLessThan(1.01);
    },
  );

  test("keeps true peaks within a tenth of a decibel of their limit where one gain would pass it by far", async () => {
    await using folder = scratchFolder();
    const path = await programme(folder.path, 0.3);
    const payload = { integrated_lufs: -12, true_peak_dbfs: -6 };
    const made = await filtered(folder.path, path, { audio: normalize("ebur128", payload) });
    const after = await heard(made.path);
    expect(after.truePeak).toBeLessThanOrEqual(-5.9);
    expect(after.truePeak).toBeGreaterThan(-6.5);
  });

  /** Quiet noise with a click every half second: one gain would lift the clicks above full scale. */
  const clicking = (folder: string) =>
    make(
      join(folder, "in.wav"),
      ...["-f", "lavfi", "-i", "anoisesrc=d=9:r=48000:seed=5:color=pink:a=0.2", "-f", "lavfi", "-i"],
      ...["aevalsrc='0.9*lt(mod(t,0.5),0.004)*sin(2*PI*900*t)':s=48000:d=9"],
      ...["-filter_complex", "amix=normalize=0,aformat=channel_layouts=stereo"],
    );

  test.each(
    first([
      ["ebur128", { integrated_lufs: -16, true_peak_dbfs: -3 }, -16, -3],
      ["ebur128", { integrated_lufs: -16, true_peak_dbfs: -3, loudness_lra_lufs: 7 }, -16, -3],
      [
        "dolby_professional_loudness",
        { regulation_type: "manual", loudness_target: -18, peak_limit_db: -9.5 },
        -18,
        -9.5,
      ],
    ] as const),
  )("reaches its target by %s %j where peaks leave one gain no room", async (kind, payload, target, limit) => {
    await using folder = scratchFolder();
    const path = await clicking(folder.path);
    const before = await heard(path);
    expect(before.truePeak + target - before.integrated).toBeGreaterThan(limit + 2);
    const made = await filtered(folder.path, path, { audio: normalize(kind, payload) });
    const after = await heard(made.path);
    expect(Math.abs(after.integrated - target)).toBeLessThanOrEqual(0.2);
    expect(after.truePeak).toBeLessThanOrEqual(limit + 0.1);
    expect(made.told).toEqual([]);
  });

  test("comes near to a target where most of a decibel of gain is lost in the limiter", async () => {
    await using folder = scratchFolder();
    const path = await make(
      join(folder.path, "in.wav"),
      ...["-f", "lavfi", "-i", "anoisesrc=d=9:r=48000:seed=8:color=pink:a=0.02", "-f", "lavfi", "-i"],
      ...["aevalsrc='0.9*sin(2*PI*2600*t)*exp(-mod(t,0.45)/0.0015)':s=48000:d=9"],
      ...["-filter_complex", "amix=normalize=0,aformat=channel_layouts=stereo"],
    );
    const audio = normalize("ebur128", { integrated_lufs: -16, true_peak_dbfs: -1.5 });
    const made = await filtered(folder.path, path, { audio });
    const after = await heard(made.path);
    expect(Math.abs(after.integrated + 16)).toBeLessThanOrEqual(0.3);
    expect(after.truePeak).toBeLessThanOrEqual(-1.4);
    expect(made.told).toEqual([]);
  });

  test("tells what it could not reach, and fails a strict target", async () => {
    await using folder = scratchFolder();
    const path = await clicking(folder.path);
    const audio = normalize("ebur128", { integrated_lufs: -5, true_peak_dbfs: -12 });
    const made = await filtered(folder.path, path, { audio });
    expect(made.told).toEqual([
      expect.stringMatching(/the sound has -\d+\.\d LUFS .* instead of -5 LUFS and -12 dBTP/),
    ]);
    const target = { parameter_compliance: "strict" };
    await expect(filtered(folder.path, path, { audio }, { target })).rejects.toThrow("instead of -5 LUFS");
  });

  test.each(["before", "behind"])("has its target with a fade %s it, whatever an analysis heard", async (place) => {
    await using folder = scratchFolder();
    const path = await programme(folder.path, 0.3);
    const { integrated, truePeak } = await heard(path);
    const figures = { integrated_lufs: integrated, loudness_lra_lufs: 5, true_peak_dbfs: truePeak };
    const fade = { kind: "fade", payload: { mode: "in", duration_sec: 6 } };
    const [level] = normalize("ebur128", {}).filters;
    const audio = { filters: place === "before" ? [fade, level] : [level, fade] };
    const analysis = { deep_properties: { audio: [{ ebur128: figures }] } };
    const made = await filtered(folder.path, path, { audio }, { analysis });
    expect(Math.abs((await heard(made.path)).integrated + 23)).toBeLessThanOrEqual(0.1);
  });

  test("takes measured values from the job, or from an analysis, and measures nothing", async () => {
    await using folder = scratchFolder();
    const path = await programme(folder.path, 0.3);
    const { integrated, truePeak } = await heard(path);
    const figures = { integrated_lufs: integrated, loudness_lra_lufs: 5, true_peak_dbfs: truePeak };
    const supplied = await filtered(folder.path, path, { audio: normalize("ebur128", { source: figures }) });
    expect(Math.abs((await heard(supplied.path)).integrated + 23)).toBeLessThanOrEqual(0.1);
    const analysis = { deep_properties: { audio: [null, { ebur128: figures }] } };
    const analyzed = await filtered(
      folder.path,
      path,
      { audio: normalize("ebur128", { analyzer_track_index: 1 }) },
      { analysis },
    );
    expect(Math.abs((await heard(analyzed.path)).integrated + 23)).toBeLessThanOrEqual(0.1);
    const steps = [supplied, analyzed].map(({ log }) => log.match(/^\$ ffmpeg/gm)?.length);
    expect(steps).toEqual([1, 1]);
  });

  test("needs one pass where imprecision is allowed", async () => {
    await using folder = scratchFolder();
    const path = await programme(folder.path, 0.05);
    const made = await filtered(folder.path, path, { audio: normalize("ebur128", { allow_unprecise_mode: true }) });
    expect(made.log.match(/^\$ ffmpeg/gm)).toHaveLength(1);
    expect(Math.abs((await heard(made.path)).integrated + 23)).toBeLessThan(3);
  });

  test.each(
    first([
      ["peak", { peak_level_db: -6 }, (all: Float32Array) => all.reduce((a, b) => Math.max(a, Math.abs(b)), 0), -6],
      [
        "rms",
        { rms_level_db: -20 },
        (all: Float32Array) => Math.sqrt(all.reduce((a, b) => a + b * b, 0) / all.length),
        -20,
      ],
    ] as const),
  )("brings the %s of all samples to its level", async (kind, payload, measure, target) => {
    await using folder = scratchFolder();
    const path = await programme(folder.path, 0.3);
    const made = await filtered(folder.path, path, { audio: normalize(kind, payload) });
    expect(20 * Math.log10(measure(await soundOf(made.path)))).toBeCloseTo(target, 2);
    const key = `${kind}_level_db`;
    const level = 20 * Math.log10(measure(await soundOf(path)));
    const analysis = { deep_properties: { audio: [{ levels: { [key]: level } }] } };
    const analyzed = await filtered(folder.path, path, { audio: normalize(kind, payload) }, { analysis });
    expect(20 * Math.log10(measure(await soundOf(analyzed.path)))).toBeCloseTo(target, 2);
    expect(analyzed.log.match(/^\$ ffmpeg/gm)).toHaveLength(1);
  });

  test("by the mean square tells of peaks that are cut off, measured or known, and fails a strict target", async () => {
    await using folder = scratchFolder();
    const path = await clicking(folder.path);
    const audio = normalize("rms", { rms_level_db: -10 });
    const words = expect.stringMatching(/the gain lifts peaks to \d+\.\d dBFS, which are cut off/);
    expect((await filtered(folder.path, path, { audio })).told).toEqual([words]);
    const target = { parameter_compliance: "strict" };
    await expect(filtered(folder.path, path, { audio }, { target })).rejects.toThrow("which are cut off");
    const analysis = { deep_properties: { audio: [{ levels: { rms_level_db: -30, peak_level_db: -1 } }] } };
    const known = filtered(folder.path, path, { audio }, { analysis, target });
    await expect(known).rejects.toThrow("peaks to 19.0 dBFS, which are cut off");
    const quiet = await filtered(folder.path, path, { audio: normalize("rms", { rms_level_db: -60 }) });
    expect(quiet.told).toEqual([]);
  });

  test("dynamic lifts quiet parts more than loud ones", async () => {
    await using folder = scratchFolder();
    const path = await programme(folder.path, 0.3);
    const made = await filtered(folder.path, path, {
      audio: normalize("dynamic", { peak_level_db: -3, window_size: 3, max_gain_factor: 30 }),
    });
    const rms = (all: Float32Array, from: number, to: number) => {
      const part = all.subarray(from * 96_000, to * 96_000);
      return Math.sqrt(part.reduce((a, b) => a + b * b, 0) / part.length);
    };
    const [source, found] = [await soundOf(path), await soundOf(made.path)];
    const ratioOf = (all: Float32Array) => rms(all, 4.3, 5.7) / rms(all, 6.3, 7.7);
    expect(ratioOf(source)).toBeGreaterThan(2);
    expect(ratioOf(found)).toBeLessThan(ratioOf(source) * 0.85);
  });
});
