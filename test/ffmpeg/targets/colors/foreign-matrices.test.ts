import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planPreview } from "../../../../media/preview/plan.ts";
import { stillArgs } from "../../../../media/preview/still-args.ts";
import { fillArgument } from "../../../../shared/work/arguments.ts";
import { first } from "../../../helpers/long.ts";
import { mediaNode } from "../../../helpers/media/media-job.ts";
import {
  ffmpegPath,
  ffmpegPaths,
  ffprobePath,
  make,
  probe,
  runFfmpeg,
  scratchFolder,
} from "../../../helpers/media/media-tools.ts";
import { codedAs, farthest, type Numbers, numbersIn } from "./numbers.ts";
import { type OddMatrix, oddly } from "./odd-matrices.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Matrices that the scaler lacks are not measured: there is no ffmpeg or no ffprobe");

const color: Numbers = [180, 60, 90];

type Source = { readonly matrix: OddMatrix; readonly primaries: string; readonly transfer: string };

const sources: readonly Source[] = [
  { matrix: "bt2020c", primaries: "bt709", transfer: "bt709" },
  { matrix: "ycgco", primaries: "bt709", transfer: "bt709" },
  { matrix: "chroma-derived-nc", primaries: "bt2020", transfer: "bt2020-10" },
  { matrix: "chroma-derived-c", primaries: "bt2020", transfer: "bt2020-10" },
  { matrix: "ictcp", primaries: "bt2020", transfer: "smpte2084" },
  { matrix: "smpte2085", primaries: "bt709", transfer: "bt709" },
];
const named = (matrix: OddMatrix): Source => {
  const found = sources.find((each) => each.matrix === matrix);
  if (!found) throw new Error(`there is no source of ${matrix}`);
  return found;
};
const standard = sources.filter(({ matrix }) => matrix !== "ictcp" && matrix !== "smpte2085");
const convertible = sources.filter(({ matrix }) => matrix !== "smpte2085");

const flat = (numbers: Numbers): string => {
  const [y, cb, cr] = numbers.map(Math.round);
  return `nullsrc=size=320x180:rate=25:duration=0.2,format=yuv422p,geq=lum=${y}:cb=${cb}:cr=${cr}`;
};
const tags = ({ primaries, transfer }: Omit<Source, "matrix">, matrix: string): string[] => [
  ...["-colorspace", matrix, "-color_primaries", primaries, "-color_trc", transfer, "-color_range", "tv"],
];

const h264 = { codec: "h264", preset: "ultrafast", crf: 4 };
const still = (codec: string) => ({ codec, image_sequence: { total_number: 1 } });

describe.skipIf(!hasTools).each(first(ffmpegPaths))("a matrix that the scaler lacks, with %s", (command) => {
  const folder = scratchFolder();
  const at = (name: string) => join(folder.path, name);
  const node = mediaNode(folder.path, (path) => (path === ffmpegPath ? command : path));
  const assetOf = (name: string) => node.assets({ kind: "asset_url", payload: { url: at(`${name}.mkv`) } });
  let count = 0;

  /** The first file of a transcode of one source, with its numbers and the tag of its matrix. */
  const made = async (name: string, video: object, more: object = { file_pattern: "out.mkv" }) => {
    count += 1;
    const payload = { location: { path: at(String(count)) }, targets: [{ ...more, video }] };
    const [work] = (await node.all("transcode", payload, await assetOf(name))).made;
    return seenIn(work?.paths[0] ?? "");
  };
  const seenIn = async (path: string) => {
    const [facts] = (await probe(path)).video;
    return {
      path,
      tag: facts?.colorSpace,
      size: facts?.width,
      numbers: await numbersIn(path, facts?.pixelFormat ?? ""),
    };
  };
  const expectNumbers = (numbers: Numbers, expected: Numbers, most = 3) => {
    const told = `${numbers.map(Math.round)} for ${expected.map(Math.round)}`;
    expect(farthest(numbers, expected), told).toBeLessThan(most);
  };

  beforeAll(async () => {
    for (const source of sources) {
      const encoder = ["-c:v", "ffv1", ...tags(source, source.matrix)];
      const numbers = oddly(color, source.matrix);
      await make(at(`${source.matrix}.mkv`), "-f", "lavfi", "-i", flat(numbers), ...encoder);
    }
    const hd = ["-c:v", "ffv1", ...tags(named("bt2020c"), "bt709")];
    await make(at("bt709.mkv"), "-f", "lavfi", "-i", flat(codedAs(color, "bt709", false)), ...hd);
    const fill = `0x${color.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
    await make(at("logo.png"), "-f", "lavfi", "-i", `color=c=${fill}:s=200x100,format=rgb24`, "-frames:v", "1");
  }, 120_000);
  afterAll(() => folder[Symbol.asyncDispose]());

  test.each(sources)("$matrix keeps its numbers and its tag in another size, chroma and depth", async ({ matrix }) => {
    const expected = oddly(color, matrix);
    for (const video of [
      { ...h264, width: 160, height: 90 },
      { ...h264, width: 200, height: 200, chroma_format: "yuv422p10le" },
      {
        ...h264,
        scaler: { kind: "zscale" },
        width: 160,
        filters: [{ kind: "crop", payload: { left: 40, right: 40 } }],
      },
    ]) {
      const { tag, numbers } = await made(matrix, video);
      expect(tag).toBe(matrix);
      expectNumbers(numbers, expected);
    }
  });

  test.each(convertible)("$matrix becomes the matrix that a target asks for", async ({ matrix, primaries }) => {
    const color_matrix = primaries === "bt2020" ? "bt2020nc" : "bt709";
    const expected = primaries === "bt2020" ? oddly(color, "bt2020nc") : codedAs(color, "bt709", false);
    const { tag, numbers } = await made(matrix, { ...h264, width: 160, height: 90, color_matrix });
    expect(tag).toBe(color_matrix);
    expectNumbers(numbers, expected);
  });

  test.each(standard)("$matrix becomes the numbers of stills", async ({ matrix }) => {
    const png = await made(matrix, { ...still("png"), width: 160, height: 90 }, { file_pattern: "out.png" });
    // Source of eight bits: a step of it is up to two steps of red.
    expectNumbers(png.numbers, color, 6);
    const jpeg = await made(matrix, { ...still("jpeg"), width: 160, height: 90 }, { file_pattern: "out.jpg" });
    expectNumbers(jpeg.numbers, codedAs(color, "bt601", true), 5);
  });

  test("ictcp is brought to the brightness of a screen in a still", async () => {
    const { numbers } = await made("ictcp", still("png"), { file_pattern: "out.png" });
    const [red, green, blue] = numbers;
    expect([red > blue, blue > green, red <= 255, green >= 0], `${numbers}`).toEqual([true, true, true, true]);
  });

  test.each([
    ["as the target's own", { color_matrix: "bt2020c" }],
    ["by a filter", { filters: [{ kind: "color_convert", payload: { to: { color_matrix: "bt2020c" } } }] }],
  ])("bt2020c is made %s", async (_how, asked) => {
    const { tag, numbers } = await made("bt709", { ...h264, width: 160, height: 90, ...asked });
    expect(tag).toBe("bt2020c");
    expectNumbers(numbers, oddly(color, "bt2020c"));
  });

  test("SMPTE 240M has its own numbers and tags, and gives the old ones back", async () => {
    const asked = (name: string) => ({ color_matrix: name, color_primaries: name, color_trc: name });
    const there = await made("bt709", { ...h264, ...asked("smpte240m") });
    expect(there.tag).toBe("smpte240m");
    expect(farthest(there.numbers, codedAs(color, "bt709", false))).toBeGreaterThan(2);
    await make(at("smpte240m.mkv"), "-i", there.path, "-c", "copy");
    const back = await made("smpte240m", { ...h264, ...asked("bt709") });
    expect(back.tag).toBe("bt709");
    expectNumbers(back.numbers, codedAs(color, "bt709", false));
  });

  test("smpte2085 is refused where its numbers would have to change, by field and value", async () => {
    const asked = { ...h264, color_matrix: "bt709" };
    await expect(made("smpte2085", asked)).rejects.toThrow(
      "targets[0].video.color_matrix: smpte2085 cannot become bt709: converting from or to smpte2085 is not implemented",
    );
    await expect(made("bt709", { ...h264, color_matrix: "smpte2085" })).rejects.toThrow(
      "targets[0].video.color_matrix: bt709 cannot become smpte2085: converting from or to smpte2085 is not implemented",
    );
    expect(await made("smpte2085", { ...h264, width: 160, color_matrix: "smpte2085" })).toMatchObject({
      tag: "smpte2085",
    });
  });

  test.each(["bt2020c", "ycgco"] as const)("a logo over %s has the numbers of the picture", async (matrix) => {
    const image_file = { url: pathToFileURL(at("logo.png")).href };
    const filters = [{ kind: "image_overlay", payload: { image_file, x: 0, y: 0 } }];
    const { tag, numbers } = await made(matrix, { ...h264, filters });
    expect(tag).toBe(matrix);
    expectNumbers(numbers, oddly(color, matrix));
  });

  test("filters of red, green and blue see the colours, and others draw", async () => {
    const extenc_filter = "colorchannelmixer=rr=0:rb=1:bb=0:br=1";
    const filters = [{ kind: "extenc", payload: { extenc_filter } }];
    const { tag, numbers } = await made("ycgco", { ...h264, filters });
    expect(tag).toBe("ycgco");
    expectNumbers(numbers, oddly([color[2], color[1], color[0]], "ycgco"), 5);
    const drawn = [{ kind: "print_timecode", payload: { font_color: "white", timecode_kind: "frame_nr" } }];
    expect(await made("smpte2085", { ...h264, filters: drawn })).toMatchObject({ tag: "smpte2085" });
  });

  test("parts of two matrices are joined in that of the first", async () => {
    const versions = ["bt2020c", "bt709"].map((name) => ({
      location: { path: folder.path },
      asset_components: [{ name: `${name}.mkv` }],
    }));
    const joined = async (names: readonly (typeof versions)[number][]) => {
      const source = { kind: "asset_complex", payload: { kind: "sequence", asset_versions: names } };
      const payload = {
        location: { path: at(`joined ${count}`) },
        targets: [{ file_pattern: "out.mkv", video: h264 }],
      };
      count += 1;
      const [work] = (await node.all("transcode", payload, await node.assets(source))).made;
      return work?.paths[0] ?? "";
    };
    const path = await joined(versions);
    const last = await make(at("last.mkv"), "-ss", "0.3", "-i", path, "-c:v", "ffv1", "-frames:v", "1");
    const { numbers } = await seenIn(last);
    expectNumbers(numbers, oddly(color, "bt2020c"));
    const [one, two] = [
      versions[1],
      { location: { path: folder.path }, asset_components: [{ name: "smpte2085.mkv" }] },
    ];
    await expect(joined(one ? [one, two] : [])).rejects.toThrow(
      /smpte2085 and bt709 cannot be joined: converting from or to smpte2085/,
    );
  });

  test.each(["bt2020c", "ycgco", "bt709"] as const)(
    "stills of %s for people have the numbers of JPEG",
    async (name) => {
      const expected = codedAs(color, "bt601", true);
      const file = at(`${name}.mkv`);
      const facts = await probe(file);
      const args = stillArgs({ name: file, facts, preview: planPreview(facts), step: 1, mapsTones: true }) ?? [];
      const preview = at(`${name}.jpg`);
      await runFfmpeg(
        command,
        args.map((word) => fillArgument(word, (reference) => ("asset" in reference ? file : preview))),
      );
      expectNumbers((await seenIn(preview)).numbers, expected, 5);
      await node.made("bif_creator", { location: { path: at(`bif ${name}`) }, existing_files: "replace" }, [
        { version: "t", files: [{ uri: pathToFileURL(file).href }] },
      ]);
      const bif = readFileSync(join(at(`bif ${name}`), `${name}.bif`));
      const picture = at(`${name} bif.jpg`);
      writeFileSync(picture, bif.subarray(bif.readUInt32LE(68), bif.readUInt32LE(76)));
      expectNumbers((await seenIn(picture)).numbers, expected, 5);
    },
  );

  test("stills that nothing makes in their own colours are refused where they are delivered", async () => {
    const inputs = [{ version: "t", files: [{ uri: pathToFileURL(at("smpte2085.mkv")).href }] }];
    await expect(node.made("bif_creator", { location: { path: at("bif") } }, inputs)).rejects.toThrow(
      "bif_creator: stills of a source in smpte2085 cannot be made: converting from or to smpte2085 is not implemented",
    );
  });

  test.each(sources)("$matrix is measured and previewed", async ({ matrix }) => {
    const file = at(`${matrix}.mkv`);
    const facts = await probe(file);
    for (const mapsTones of [true, false]) {
      const args = stillArgs({ name: file, facts, preview: planPreview(facts), step: 1, mapsTones }) ?? [];
      const preview = at(`${matrix} ${mapsTones}.jpg`);
      await runFfmpeg(
        command,
        args.map((word) => fillArgument(word, (reference) => ("asset" in reference ? file : preview))),
      );
      expect((await probe(preview)).video).toHaveLength(1);
    }
    const video = {
      levels: { enabled: true, histograms: true },
      complexity: { enabled: true, analysis_width: 160 },
      interlacing: { enabled: true },
    };
    const results = await node.results("analyze", { deep_properties: { video } }, await assetOf(matrix));
    const [y] = oddly(color, matrix).map(Math.round);
    expect(results).toMatchObject({ deep_properties: { video: { levels: { luma: { average: { mean: y } } } } } });
  });
});
