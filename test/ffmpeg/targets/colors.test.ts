import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { videoCodecs } from "../../../media/elements/transcode/video/index.ts";
import { colorSpaceOf } from "../../../media/formats/pixel-format.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { share } from "../../helpers/long.ts";
import {
  compiledWith,
  ffmpegPath,
  ffprobePath,
  make,
  perform,
  probe,
  scratchFolder,
} from "../../helpers/media/media-tools.ts";
import { codedAs, farthest, type Matrix, type Numbers, numbersIn } from "./colors/numbers.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Colours are not measured: there is no ffmpeg or no ffprobe");

/** Colours of which every matrix makes numbers of its own. */
const colors: Readonly<Record<string, Numbers>> = { red: [200, 20, 40], green: [30, 180, 60], blue: [20, 50, 210] };

type Source = {
  readonly name: string;
  readonly size: string;
  /** Of what a reader takes for granted at that size, and of what the target is to have. */
  readonly matrix: Matrix;
  readonly argv: (color: Numbers) => readonly string[];
  readonly extension: string;
  /** What the job says of colours. */
  readonly asked?: object;
};

const flat = (color: Numbers, size: string, format: string): readonly string[] => {
  const fill = `0x${color.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
  return ["-f", "lavfi", "-i", `color=c=${fill}:size=${size}:rate=25:duration=0.2,format=${format}`];
};
const planes = (numbers: Numbers, size: string, tags: readonly string[]): readonly string[] => {
  const [y, cb, cr] = numbers.map((value) => Math.round(value));
  const still = `nullsrc=size=${size}:rate=25:duration=0.2,format=yuv422p,geq=lum=${y}:cb=${cb}:cr=${cr}`;
  return ["-f", "lavfi", "-i", still, "-c:v", "ffv1", ...tags];
};

const sources: readonly Source[] = [
  {
    ...{ name: "RGB of high definition", size: "1280x720", matrix: "bt709", extension: ".mov" },
    argv: (color) => [...flat(color, "1280x720", "rgb24"), "-c:v", "qtrle"],
  },
  {
    ...{ name: "RGB of standard definition", size: "720x576", matrix: "bt601", extension: ".mov" },
    argv: (color) => [...flat(color, "720x576", "rgb24"), "-c:v", "qtrle"],
  },
  {
    ...{ name: "RGB asked to become BT.709", size: "720x576", matrix: "bt709", extension: ".mov" },
    argv: (color) => [...flat(color, "720x576", "rgb24"), "-c:v", "qtrle"],
    asked: { color_matrix: "bt709", color_primaries: "bt470bg", color_trc: "smpte170m" },
  },
  {
    ...{ name: "deep RGB", size: "1280x720", matrix: "bt709", extension: ".mkv" },
    argv: (color) => [...flat(color, "1280x720", "gbrp10le"), "-c:v", "ffv1"],
  },
  {
    ...{ name: "untagged video of high definition", size: "1280x720", matrix: "bt709", extension: ".mkv" },
    argv: (color) => planes(codedAs(color, "bt709", false), "1280x720", []),
  },
  {
    ...{ name: "untagged video of standard definition", size: "720x576", matrix: "bt601", extension: ".mkv" },
    argv: (color) => planes(codedAs(color, "bt601", false), "720x576", []),
  },
  {
    ...{ name: "tagged video", size: "1280x720", matrix: "bt709", extension: ".mkv" },
    argv: (color) =>
      planes(codedAs(color, "bt709", false), "1280x720", [
        ...["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
      ]),
  },
];

type Codec = (typeof videoCodecs)[number];

/** Formats of tapes have their own sizes; the others take any. */
const tape = new Set(["dv25", "dv50", "dv100", "dvcprohd", "d10", "dv"]);
const isAnySize = ({ name }: Codec): boolean => !tape.has(name);

const holderOf = (codec: Codec): object => {
  const known: Readonly<Record<string, string>> = {
    ...{ vp8: ".webm", vp9: ".webm", av1: ".webm", raw: ".nut", mpeg1: ".mpg", jpeg: ".jpg", png: ".png" },
  };
  return { file_pattern: `out${known[codec.name] ?? ".mov"}` };
};

const exact: Readonly<Record<string, object>> = {
  ...{ h264: { preset: "ultrafast", crf: 8 }, h265: { preset: "ultrafast", crf: 8 } },
  ...{ vp8: { bitrate_kb: 20_000 }, vp9: { bitrate_kb: 20_000 }, av1: { crf: 15 } },
  ...{ jpeg: { image_sequence: { total_number: 1 } }, png: { image_sequence: { total_number: 1 } } },
};

const cases = sources.flatMap((source) => videoCodecs.filter(isAnySize).map((codec) => [source, codec] as const));
const chosen = share(cases, (each) => ["h264", "jpeg", "dnxhd"].includes(each[1].name), 4);

const matrixNames: Readonly<Record<Matrix, RegExp>> = { bt709: /^bt709$/, bt601: /^(bt470bg|smpte170m)$/ };

describe.skipIf(!hasTools)("colours of known numbers", { timeout: 120_000 }, () => {
  const folder = scratchFolder();
  const made = new Map<string, { readonly path: string; readonly facts: MediaFacts }>();

  beforeAll(async () => {
    for (const { name, argv, extension } of sources)
      for (const [word, color] of Object.entries(colors)) {
        const path = await make(join(folder.path, `${name} ${word}${extension}`), ...argv(color));
        made.set(`${name} ${word}`, { path, facts: await probe(path) });
      }
  }, 120_000);
  afterAll(() => folder[Symbol.asyncDispose]());

  test.each(chosen.map(([source, codec]) => [source.name, codec.name, source, codec] as const))(
    "%s in %s have the numbers that its readers expect",
    async (_source, _codec, source, codec) => {
      for (const [word, color] of Object.entries(colors)) {
        const from = made.get(`${source.name} ${word}`);
        if (!from) throw new Error("the source was not made");
        await using out = scratchFolder();
        const target = { ...holderOf(codec), video: { codec: codec.name, ...exact[codec.name], ...source.asked } };
        const work = compiledWith(
          from.facts,
          "transcode",
          { location: { path: out.path }, targets: [target] },
          from.path,
        );
        const [path = ""] = await perform(work, from.path, out.path);
        const [video] = (await probe(path)).video;
        const format = video?.pixelFormat ?? "";
        const isRgb = colorSpaceOf(format) === "RGB";
        const matrix = codec.numbers ? "bt601" : source.matrix;
        const isFull = video?.colorRange === "pc" || format.startsWith("yuvj");
        const expected = isRgb ? color : codedAs(color, matrix, isFull);
        const seen = await numbersIn(path, format);
        const told = `${word}: ${seen.map(Math.round)} for ${expected.map(Math.round)}, ${format} ${video?.colorSpace}`;
        expect(farthest(seen, expected), told).toBeLessThan(4);
        if (!isRgb && video?.colorSpace !== undefined) expect(video.colorSpace, told).toMatch(matrixNames[matrix]);
      }
    },
  );
});
