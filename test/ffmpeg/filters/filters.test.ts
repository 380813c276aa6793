import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { filtered, lumaOf, type Plane, rawFrames, soundOf } from "../../helpers/media/filtered.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const [width, height] = [96, 64];
const picture = (source: string, seconds = 1) => [
  ...["-f", "lavfi", "-i", `${source}=size=${width}x${height}:rate=25:duration=${seconds}`],
  ...["-pix_fmt", "yuv420p", "-c:v", "rawvideo"],
];

/** A part of each plane of a 4:2:0 picture. */
const cutOut = (frame: Buffer, [left, top, w, h]: readonly [number, number, number, number]): Buffer => {
  const plane = (offset: number, stride: number, scale: number) =>
    Array.from({ length: h / scale }, (_, row) => {
      const start = offset + (top / scale + row) * stride + left / scale;
      return frame.subarray(start, start + w / scale);
    });
  const [luma, chroma] = [width * height, (width * height) / 4];
  return Buffer.concat([...plane(0, width, 1), ...plane(luma, width / 2, 2), ...plane(luma + chroma, width / 2, 2)]);
};

const filter = (kind: string, payload: object, more: object = {}) => ({ filters: [{ kind, payload, ...more }] });

describe.skipIf(!hasTools)("crop", { timeout: 60_000 }, () => {
  test.each(
    first([
      ["pixels of the source", { left: 10, right: 6, top: 4, bottom: 2, use_source_dimensions: true }, [10, 4, 80, 58]],
      ["percent of the sides", { left: "25%", bottom: "50 %" }, [24, 0, 72, 32]],
      ["an expression", { right: "source.video.width / 4" }, [0, 0, 72, 64]],
    ] as const),
  )("by %s keeps every byte of what is left", async (_name, payload, part) => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...picture("testsrc2"));
    const made = await filtered(folder.path, path, { video: filter("crop", payload) });
    const [source, cropped] = [
      await rawFrames(path, (width * height * 3) / 2),
      await rawFrames(made.path, (part[2] * part[3] * 3) / 2),
    ];
    expect(cropped.length).toBe(25);
    expect(cropped.map((frame) => frame.toString("base64"))).toEqual(
      source.map((frame) => cutOut(frame, part).toString("base64")),
    );
  });

  test("auto cuts off the borders that an analysis found", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...picture("testsrc2"));
    const analysis = { deep_properties: { video: { black_borders: { left: 0, right: 0, top: 12, bottom: 8 } } } };
    const all = { left: "auto", right: "auto", top: "auto", bottom: "auto" };
    const made = await filtered(folder.path, path, { video: filter("crop", all) }, { analysis });
    const cropped = await rawFrames(made.path, (96 * 44 * 3) / 2);
    const source = await rawFrames(path, (width * height * 3) / 2);
    expect(cropped.map(String)).toEqual(source.map((frame) => String(cutOut(frame, [0, 12, 96, 44]))));
  });

  test("counts pixels of the target where nothing else is said, and fills the target's size", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...picture("testsrc2"));
    const video = { width: 48, height: 32, ar_max_distortion: 10, ...filter("crop", { left: 8 }) };
    const made = await filtered(folder.path, path, { video });
    expect((await probe(made.path)).video[0]).toMatchObject({ width: 48, height: 32 });
    // The left edge of the target shows what is 16 pixels from the source's.
    const reference = await make(
      join(folder.path, "ref.nut"),
      ...["-i", path, "-vf", "crop=80:64:16:0,scale=48:32:flags=bicubic", "-c:v", "rawvideo"],
    );
    expect((await rawFrames(made.path, 48 * 48)).map(String)).toEqual(
      (await rawFrames(reference, 48 * 48)).map(String),
    );
  });
});

/** A bell curve laid over every pixel; edges go on beyond the picture. */
const blurred = ({ data }: Plane, sigma: number): number[] => {
  const reach = Math.ceil(sigma * 4);
  const bell = Array.from({ length: 2 * reach + 1 }, (_, at) => Math.exp(-((at - reach) ** 2) / (2 * sigma * sigma)));
  const total = bell.reduce((a, b) => a + b);
  const inside = (value: number, limit: number) => Math.min(limit - 1, Math.max(0, value));
  const along = (values: ArrayLike<number>, step: (x: number, y: number, d: number) => number) =>
    Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      return bell.reduce((sum, weight, k) => sum + weight * (values[step(x, y, k - reach)] ?? 0), 0) / total;
    });
  const across = along(data, (x, y, d) => y * width + inside(x + d, width));
  return along(across, (x, y, d) => inside(y + d, height) * width + x);
};

describe.skipIf(!hasTools)("gaussian_blur", { timeout: 60_000 }, () => {
  test("lays a bell curve of the radius over every pixel", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...picture("testsrc2", 0.04));
    const made = await filtered(folder.path, path, { video: filter("gaussian_blur", { radius: 3 }) });
    const [source] = await lumaOf(path, width, height);
    const [found] = await lumaOf(made.path, width, height);
    if (!source || !found) throw new Error("a frame is missing");
    const reference = blurred(source, 3);
    // What lies beyond an edge is anybody's guess.
    const isInside = (at: number) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      return Math.min(x, y, width - 1 - x, height - 1 - y) >= 9;
    };
    const differences = reference.flatMap((value, at) =>
      isInside(at) ? [Math.abs(value - (found.data[at] ?? 0))] : [],
    );
    const before = reference.map((value, at) => Math.abs(value - (source.data[at] ?? 0)));
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b) / values.length;
    expect(mean(before)).toBeGreaterThan(10);
    expect(mean(differences)).toBeLessThan(1);
    expect(Math.max(...differences)).toBeLessThan(4);
  });
});

describe.skipIf(!hasTools)("fade", { timeout: 60_000 }, () => {
  test("lifts luma from black evenly, and lowers it to black at the end", async () => {
    await using folder = scratchFolder();
    const grey = `color=c=0x808080:size=${width}x${height}:rate=25:duration=2`;
    const path = await make(
      join(folder.path, "in.nut"),
      "-f",
      "lavfi",
      "-i",
      grey,
      "-pix_fmt",
      "yuv420p",
      "-c:v",
      "rawvideo",
    );
    const filters = [
      { kind: "fade", payload: { mode: "in", duration_sec: 0.4 } },
      { kind: "fade", payload: { mode: "out", duration_sec: 0.4 } },
    ];
    const made = await filtered(folder.path, path, { video: { filters } });
    const lumas = (await lumaOf(made.path, width, height)).map(({ data }) => data[0] ?? 0);
    const full = (await lumaOf(path, width, height))[0]?.data[0] ?? 0;
    const expected = lumas.map((_, frame) => {
      const [fadedIn, fadedOut] = [frame / 10, (50 - frame) / 10];
      return 16 + (full - 16) * Math.max(0, Math.min(1, fadedIn, fadedOut));
    });
    const off = lumas.map((value, at) => Math.abs(value - (expected[at] ?? 0)));
    expect(lumas.length).toBe(50);
    // One frame of the ramp is a tenth of the way.
    expect(Math.max(...off)).toBeLessThan((full - 16) / 10 + 1);
    expect([lumas[0], lumas[25]]).toEqual([16, full]);
  });

  test("of sound changes the amplitude evenly", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.wav"), ...["-f", "lavfi", "-i", "aevalsrc=0.5:d=1:s=48000"]);
    const made = await filtered(folder.path, path, {
      audio: filter("fade", { mode: "out", start_sec: 0.5, duration_sec: 0.5 }),
    });
    const samples = await soundOf(made.path);
    const off = [...samples].map((value, at) => Math.abs(value - 0.5 * Math.min(1, (48_000 - at) / 24_000)));
    expect([samples.length, Math.max(...off) < 1e-4]).toEqual([48_000, true]);
  });
});

describe.skipIf(!hasTools)("level", { timeout: 60_000 }, () => {
  test.each(
    first([
      [{ factor: 0.25 }, 0.25],
      [{ level_db: -6 }, 10 ** (-6 / 20)],
      [{ level_db: "3" }, 10 ** (3 / 20)],
    ]),
  )("%j multiplies every sample", async (payload, gain) => {
    await using folder = scratchFolder();
    const path = await make(
      join(folder.path, "in.wav"),
      ...["-f", "lavfi", "-i", "anoisesrc=d=0.5:r=48000:seed=1:a=0.5"],
    );
    const made = await filtered(folder.path, path, { audio: filter("level", payload) });
    const [source, found] = [await soundOf(path), await soundOf(made.path)];
    const off = [...source].map((value, at) => Math.abs(value * gain - (found[at] ?? 0)));
    expect([found.length, Math.max(...off) < 1e-5]).toEqual([source.length, true]);
  });
});

const meanDifference = (a: Plane, b: Plane): number =>
  a.data.reduce((sum, value, at) => sum + Math.abs(value - (b.data[at] ?? 0)), 0) / a.data.length;

describe.skipIf(!hasTools)("deinterlace", { timeout: 60_000 }, () => {
  test.each(
    first([
      ["auto", {}],
      ["by the frames' own marks", { interlace_mode: "frame_metadata" }],
      ["top field first", { interlace_mode: "tff" }],
    ]),
  )("%s shows the moment of the first field in all lines", async (_name, payload) => {
    await using folder = scratchFolder();
    // Upright waves that move: lines of two moments show as combs.
    const waves = `nullsrc=size=${width}x${height}:rate=50:duration=1,geq=lum='128+90*sin((X+4*N)/4)':cb=128:cr=128`;
    const moving = await make(
      join(folder.path, "50p.mkv"),
      ...["-f", "lavfi", "-i", waves, "-pix_fmt", "yuv420p", "-c:v", "ffv1"],
    );
    const path = await make(
      join(folder.path, "in.mkv"),
      ...["-i", moving, "-vf", "interlace=lowpass=off,setfield=tff", "-pix_fmt", "yuv420p", "-c:v", "ffv1"],
    );
    const made = await filtered(folder.path, path, { video: filter("deinterlace", payload) });
    const truth = (await lumaOf(moving, width, height)).filter((_, at) => at % 2 === 0);
    const [combed, clean] = [await lumaOf(path, width, height), await lumaOf(made.path, width, height)];
    const off = (planes: readonly Plane[]) =>
      planes.reduce((sum, plane, at) => sum + (truth[at] ? meanDifference(plane, truth[at]) : 0), 0) / planes.length;
    expect(clean.length).toBe(25);
    expect(off(combed)).toBeGreaterThan(15);
    expect(off(clean)).toBeLessThan(2);
  });
});
