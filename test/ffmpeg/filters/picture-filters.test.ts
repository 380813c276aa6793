import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { filtered, lumaOf, rawFrames } from "../../helpers/media/filtered.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { drawGlyphs, readText } from "./burned-text.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const [width, height] = [96, 64];
const raw = ["-pix_fmt", "yuv420p", "-c:v", "rawvideo"];
const lavfi = (source: string) => ["-f", "lavfi", "-i", source];
const film = (seconds = 1, rate = "25") => lavfi(`testsrc2=size=${width}x${height}:rate=${rate}:duration=${seconds}`);
const grey = (level: number, seconds = 1, size = `${width}x${height}`) =>
  lavfi(`nullsrc=size=${size}:rate=25:duration=${seconds},geq=lum=${level}:cb=128:cr=128,format=yuv420p`);

const filter = (kind: string, payload: object) => ({ filters: [{ kind, payload }] });

describe.skipIf(!hasTools)("image_overlay", { timeout: 60_000 }, () => {
  /** A still that gets lighter from left to right, and its luma as limited range has it. */
  const ramp = (folder: string) =>
    make(
      join(folder, "ramp.png"),
      ...lavfi("nullsrc=size=32x16,geq=lum='X*8':cb=128:cr=128,format=gray"),
      "-frames:v",
      "1",
    );
  const lumaOfRamp = (column: number) => 16 + (column * 8 * 219) / 255;

  test.each(
    first([
      [{ x: 20, y: 10, opacity: 1 }, 20, 10, 1],
      [{ x: "video_w - overlay_w", y: "(video_h - overlay_h) / 2", opacity: 0.28 }, 64, 24, 0.28],
      // Chroma that pixels share is not divided: odd places are moved up and left.
      [{ opacity: 0.5, x: "source_w / 3", width: "overlay_w", height: "source_h / 4" }, 32, 24, 0.5],
    ]),
  )("%j blends each pixel by its opacity", async (payload, left, top, opacity) => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...film(0.2), ...raw);
    const image_file = { storage_provider: "local", url: await ramp(folder.path) };
    const made = await filtered(folder.path, path, { video: filter("image_overlay", { image_file, ...payload }) });
    const [below, above] = [await lumaOf(path, width, height), await lumaOf(made.path, width, height)];
    expect(above.length).toBe(5);
    for (const [frame, plane] of above.entries()) {
      const off = [...plane.data].map((value, at) => {
        const [column, row] = [(at % width) - left, Math.floor(at / width) - top];
        const under = below[frame]?.data[at] ?? 0;
        const isOver = column >= 0 && column < 32 && row >= 0 && row < 16;
        return Math.abs(value - (isOver ? under * (1 - opacity) + lumaOfRamp(column) * opacity : under));
      });
      expect(Math.max(...off)).toBeLessThanOrEqual(2);
    }
  });

  test("comes and goes when it is told to, more and more opaque", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...grey(50, 2), ...raw);
    const url = await make(join(folder.path, "white.png"), ...lavfi("color=white:size=96x64"), "-frames:v", "1");
    const times = { start_sec: 0.4, duration_sec: 1.2, fadein_duration_sec: 0.4, fadeout_duration_sec: 0.4 };
    const made = await filtered(folder.path, path, {
      video: filter("image_overlay", { image_file: { url }, x: 0, y: 0, ...times }),
    });
    const lumas = (await lumaOf(made.path, width, height)).map(({ data }) => data[0] ?? 0);
    const expected = lumas.map((_, frame) => {
      const time = frame / 25;
      const alpha = time >= 1.6 ? 0 : Math.max(0, Math.min(1, (time - 0.4) / 0.4, (1.6 - time) / 0.4));
      return 50 + (235 - 50) * alpha;
    });
    expect(lumas.length).toBe(50);
    expect([lumas[5], lumas[25], lumas[45]]).toEqual([50, 235, 50]);
    // A frame is a tenth of the way.
    expect(Math.max(...lumas.map((value, at) => Math.abs(value - (expected[at] ?? 0))))).toBeLessThan(21);
  });
});

describe.skipIf(!hasTools)("video_overlay", { timeout: 60_000 }, () => {
  test.each(
    first([
      [{}, 10],
      [{ repeat_count: 2 }, 20],
      [{ repeat_count: 0 }, 50],
      [{ repeat_count: 0, start_sec: 0.4, duration_sec: 0.8 }, 20],
    ]),
  )("%j plays so many times, and is gone", async (payload, shown) => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...grey(50, 2), ...raw);
    const rising = "nullsrc=size=16x16:rate=25:duration=0.4,geq=lum='100+N*10':cb=128:cr=128";
    const url = await make(join(folder.path, "bug.mkv"), ...lavfi(rising), "-pix_fmt", "yuv420p", "-c:v", "ffv1");
    const made = await filtered(folder.path, path, {
      video: filter("video_overlay", { video_file: { url }, x: 0, y: 0, ...payload }),
    });
    const lumas = (await lumaOf(made.path, width, height)).map(({ data }) => data[0] ?? 0);
    const start = "start_sec" in payload ? 10 : 0;
    const expected = lumas.map((_, at) => (at < start || at >= start + shown ? 50 : 100 + ((at - start) % 10) * 10));
    expect(lumas.length).toBe(50);
    expect(Math.max(...lumas.map((value, at) => Math.abs(value - (expected[at] ?? 0))))).toBeLessThanOrEqual(1);
  });
});

describe.skipIf(!hasTools)("print_timecode", { timeout: 120_000 }, () => {
  const size = 40;
  const shown = {
    ...{ font: "mono", font_size: size, font_color: "white", background_color: "black", border_size: 10 },
    ...{ x: 20, y: "(h-text_h)/2" },
  };
  const printed = async (
    folder: string,
    payload: object,
    { rate = "25", timecode = "" } = {},
    video: object = {},
  ): Promise<string[]> => {
    const source = lavfi(`color=black:size=360x90:rate=${rate}:duration=0.4`);
    const timed = timecode === "" ? [] : ["-timecode", timecode];
    const path = await make(join(folder, "in.mov"), ...source, ...timed, "-c:v", "prores_ks");
    const made = await filtered(folder, path, {
      video: { chroma_format: "yuv420p", ...video, ...filter("print_timecode", { ...shown, ...payload }) },
    });
    const glyphs = await drawGlyphs(folder, size);
    const kind = "timecode_kind" in payload ? payload.timecode_kind : "";
    const count = kind === "frame_nr" ? 2 : 11;
    // A time has room for its sign before it.
    const left = kind === "media_time" ? 44 : 20;
    return (await lumaOf(made.path, 360, 90)).map((plane) => readText(plane, left, count, glyphs));
  };

  test.each(
    first([
      ["the source's timecode", {}, { timecode: "10:59:59:20" }, ["10:59:59:20", "10:59:59:21", "11:00:00:04"]],
      [
        "drop frames",
        {},
        { rate: "30000/1001", timecode: "01:00:59;26" },
        ["01:00:59;26", "01:00:59;27", "01:01:00;09"],
      ],
      [
        "the numbers of a source that drops, counted without drops",
        { timecode_kind: "timecode_nodrop" },
        { rate: "30000/1001", timecode: "01:00:59;26" },
        ["01:00:59:26", "01:00:59:27", "01:01:00:07"],
      ],
      [
        "a start of the job",
        { timecode_source: "start_value", timecode_start_value: "20:00:00:00" },
        { timecode: "10:00:00:00" },
        ["20:00:00:00", "20:00:00:01", "20:00:00:09"],
      ],
      ["zero where the source has no timecode", {}, {}, ["00:00:00:00", "00:00:00:01", "00:00:00:09"]],
      ["the time", { timecode_kind: "media_time" }, {}, ["00:00:00.00", "00:00:00.04", "00:00:00.36"]],
      [
        "frame numbers",
        { timecode_kind: "frame_nr", timecode_source: "start_value", timecode_start_value: "40" },
        {},
        ["40", "41", "49"],
      ],
    ]),
  )("prints %s into every picture", async (_name, payload, source, expected) => {
    await using folder = scratchFolder();
    const read = await printed(folder.path, payload, source);
    expect([read[0], read[1], read.at(-1)]).toEqual(expected);
  });

  test("counts anew at the rate of the target", async () => {
    await using folder = scratchFolder();
    const read = await printed(folder.path, {}, { timecode: "10:00:00:10" }, { frame_rate: 50 });
    expect([read[0], read[1], read[2]]).toEqual(["10:00:00:20", "10:00:00:21", "10:00:00:22"]);
  });
});

describe.skipIf(!hasTools)("telecine", { timeout: 60_000 }, () => {
  /** Source pictures that the fields of each frame show, as arithmetic has them. */
  const cadence = (pattern: string, pictures: number): [number, number][] => {
    const fields = Array.from({ length: pictures }, (_, at) =>
      Array(Number(pattern[at % pattern.length])).fill(at),
    ).flat();
    return Array.from({ length: Math.floor(fields.length / 2) }, (_, at) => [fields[2 * at], fields[2 * at + 1]]);
  };

  test.each(
    first([
      ["23", "tff", "30/1"],
      ["2332", "tff", "30/1"],
      ["2332", "bff", "30/1"],
      ["22", "tff", "24/1"],
      ["222222222223", "tff", "25/1"],
    ]),
  )("pattern %s shows each picture for its number of fields, %s", async (pattern, interlace_mode, rate) => {
    await using folder = scratchFolder();
    const steps = `nullsrc=size=${width}x${height}:rate=24:duration=1,geq=lum='16+N*8':cb=128:cr=128`;
    const path = await make(join(folder.path, "in.nut"), ...lavfi(steps), ...raw);
    const made = await filtered(folder.path, path, { video: filter("telecine", { pattern, interlace_mode }) });
    const pictureAt = (level: number | undefined) => ((level ?? 0) - 16) / 8;
    const found = (await lumaOf(made.path, width, height)).map(({ data }) => {
      const [top, bottom] = [pictureAt(data[0]), pictureAt(data[width])];
      return interlace_mode === "tff" ? [top, bottom] : [bottom, top];
    });
    const expected = cadence(pattern, 24);
    expect(found.slice(0, expected.length - 1)).toEqual(expected.slice(0, found.length).slice(0, expected.length - 1));
    expect(Math.abs(found.length - expected.length)).toBeLessThanOrEqual(1);
    const { frameRate } = (await probe(made.path)).video[0] ?? {};
    expect(`${frameRate?.num}/${frameRate?.den}`).toBe(rate);
  });
});

/** ST 2084: the share of the signal that so many nits have. */
const pqOf = (nits: number): number => {
  const light = (nits / 10_000) ** (2610 / 16384);
  return ((3424 / 4096 + (2413 / 128) * light) / (1 + (2392 / 128) * light)) ** (2523 / 32);
};
/** A screen's light for a signal of standard range. */
const displayed = (level: number) => ((level - 16) / 219) ** 2.4;

describe.skipIf(!hasTools)("color_convert", { timeout: 60_000 }, () => {
  const tenBits = async (path: string) => (await rawFrames(path, width * height * 3))[0]?.readUInt16LE(0) ?? 0;

  test.each(
    first([
      ["sdr_to_hdr_pq_200nit", 235, 200],
      ["sdr_to_hdr_pq_300nit", 235, 300],
      ["sdr_to_hdr_pq_200nit", 126, 200],
    ]),
  )("%s brings grey to the number that arithmetic tells", async (preset, level, white) => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...grey(level, 0.2), ...raw);
    const made = await filtered(folder.path, path, { video: filter("color_convert", { preset }) });
    expect((await probe(made.path)).video[0]?.pixelFormat).toBe("yuv420p10le");
    expect(Math.abs((await tenBits(made.path)) - (64 + 876 * pqOf(white * displayed(level))))).toBeLessThan(6);
  });

  test.each(first(["hdr_pq_to_sdr", "hdr_pq_to_sdr_desat_mild", "hdr_hlg_to_sdr", "hdr_hlg_to_sdr_desat_medium"]))(
    "%s keeps black, and the order of brightness below white",
    async (preset) => {
      await using folder = scratchFolder();
      const ramp = `nullsrc=size=${width}x${height}:rate=25:duration=0.04,format=yuv420p10le,geq=lum='64+floor(X*6.9)':cb=512:cr=512`;
      const path = await make(
        join(folder.path, "in.nut"),
        ...lavfi(ramp),
        "-pix_fmt",
        "yuv420p10le",
        "-c:v",
        "rawvideo",
      );
      const video = { chroma_format: "yuv420p", ...filter("color_convert", { preset }) };
      const [plane] = await lumaOf((await filtered(folder.path, path, { video })).path, width, height);
      const row = [...(plane?.data.subarray(0, width) ?? [])];
      const falls = row.filter((value, at) => at > 0 && value < (row[at - 1] ?? 0) - 1);
      expect([falls, (row[0] ?? 255) <= 18, (row.at(-1) ?? 0) > 120, Math.max(...row) <= 253]).toEqual([
        [],
        true,
        true,
        true,
      ]);
    },
  );

  test("names convert one range into another", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...grey(16, 0.2), ...raw);
    const payload = { from: { ire_range_mode: "limited" }, to: { ire_range_mode: "full" } };
    const made = await filtered(folder.path, path, { video: filter("color_convert", payload) });
    expect((await lumaOf(made.path, width, height))[0]?.data[0]).toBeLessThanOrEqual(1);
  });

  test("a table of the job's own maps every colour", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...grey(60, 0.2), ...raw);
    const url = join(folder.path, "negative.cube");
    const corners = [0, 1].flatMap((b) => [0, 1].flatMap((g) => [0, 1].map((r) => `${1 - r} ${1 - g} ${1 - b}`)));
    writeFileSync(url, `LUT_3D_SIZE 2\n${corners.join("\n")}\n`);
    const made = await filtered(folder.path, path, { video: filter("color_convert", { lut_file: { url } }) });
    expect(Math.abs(((await lumaOf(made.path, width, height))[0]?.data[0] ?? 0) - (251 - 60))).toBeLessThanOrEqual(1);
  });
});

describe.skipIf(!hasTools)("extenc", { timeout: 60_000 }, () => {
  test("does what its filters do, with a file that the job brings", async () => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...film(0.2), ...raw);
    const url = join(folder.path, "same.cube");
    const corners = [0, 1].flatMap((b) => [0, 1].flatMap((g) => [0, 1].map((r) => `${r} ${g} ${b}`)));
    writeFileSync(url, `LUT_3D_SIZE 2\n${corners.join("\n")}\n`);
    const payload = { support_files: [{ url }], extenc_filter: "hflip,vflip" };
    const made = await filtered(folder.path, path, { video: filter("extenc", payload) });
    const [source, turned] = [await lumaOf(path, width, height), await lumaOf(made.path, width, height)];
    expect(turned.map(({ data }) => [...data].reverse().join())).toEqual(source.map(({ data }) => [...data].join()));
    const table = { ...payload, extenc_filter: "lut3d=file=same.cube:interp=nearest" };
    expect((await filtered(folder.path, path, { video: filter("extenc", table) })).log).toContain("stage file_0.cube");
  });

  test("makes contact sheets: pictures at even times, small and side by side", async () => {
    await using folder = scratchFolder();
    // Each second is brighter than the one before.
    const path = await make(
      join(folder.path, "in.nut"),
      ...[
        "-f",
        "lavfi",
        "-i",
        `nullsrc=size=${width}x${height}:rate=25:duration=8,geq=lum=20+20*floor(T):cb=128:cr=128`,
      ],
      ...raw,
    );
    const chain = "fps=1,scale=32:-2,tile=layout=4x2:padding=2:margin=4";
    const made = await filtered(folder.path, path, { video: filter("extenc", { extenc_filter: chain }) });
    const high = Math.round((32 * height) / width / 2) * 2;
    const [wide, tall] = [4 * 32 + 3 * 2 + 2 * 4, 2 * high + 2 + 2 * 4];
    expect((await probe(made.path)).video[0]).toMatchObject({ width: wide, height: tall });
    const [sheet, more] = await lumaOf(made.path, wide, tall);
    const at = (column: number, row: number) =>
      sheet?.data[(4 + row * (high + 2) + high / 2) * wide + 4 + column * 34 + 16];
    expect(more).toBeUndefined();
    expect([0, 1].map((row) => [0, 1, 2, 3].map((column) => at(column, row)))).toEqual([
      [20, 40, 60, 80],
      [100, 120, 140, 160],
    ]);
  });

  test.each([
    ["pictures by an expression, which may never end", "select=expr='while(1,1)'", "is not allowed"],
    ["a file", "movie=/etc/passwd", "is not allowed"],
    ["a picture too large for a node", "scale=16000:16000", "makes a picture of 16000x16000"],
  ])("refuses %s", async (_name, extenc_filter, said) => {
    await using folder = scratchFolder();
    const path = await make(join(folder.path, "in.nut"), ...film(0.2), ...raw);
    await expect(filtered(folder.path, path, { video: filter("extenc", { extenc_filter }) })).rejects.toThrow(said);
  });
});
