import { describe, expect, test } from "vitest";
import { canHold } from "../../../../media/elements/transcode/containers/can-hold.ts";
import { containers } from "../../../../media/elements/transcode/containers/index.ts";
import { videoCodecs } from "../../../../media/elements/transcode/video/index.ts";
import { videoFilters, videoWords, warningsOf } from "../../../helpers/media/transcode-words.ts";

const formats = ["yuva444p12le", "rgba", "gbrp10le", "yuv444p", "yuv422p10le", "yuv420p10le", "yuv420p"];

/** Sizes that every codec has, and a container that takes it. */
const target = (codec: (typeof videoCodecs)[number], more: object = {}) => {
  const container =
    containers.find(({ kinds }) => kinds.includes("nut") && codec.name === "raw") ??
    containers.find((each) => each.kinds.length > 0 && canHold(each, "video", codec.probed));
  const size = /^dv/.test(codec.name) ? { width: 720, height: 576 } : {};
  return {
    file_pattern: "x",
    container: { kind: container?.kinds[0] },
    video: { codec: codec.name, ...size, ...more },
  };
};

/** Bits of transparency, of colour and of a sample, by a table of its own. */
const rows: Readonly<Record<string, readonly [alpha: boolean, chroma: number, bits: number]>> = {
  ...{ yuva444p12le: [true, 444, 12], rgba: [true, 444, 8], gbrp10le: [false, 444, 10], yuv444p: [false, 444, 8] },
  ...{ yuv422p10le: [false, 422, 10], yuv420p10le: [false, 420, 10], yuv420p: [false, 420, 8] },
  ...{ yuvj420p: [false, 420, 8], yuv422p: [false, 422, 8], yuv444p10le: [false, 444, 10], rgb24: [false, 444, 8] },
  ...{ yuva444p10le: [true, 444, 10], yuv444p12le: [false, 444, 12], yuv420p12le: [false, 420, 12] },
  ...{ yuvj422p: [false, 422, 8], rgba64le: [true, 444, 16], rgb48be: [false, 444, 16], gbrp12le: [false, 444, 12] },
  ...{ yuva444p16le: [true, 444, 16], rgba64be: [true, 444, 16], yuv422p12le: [false, 422, 12] },
};

const rowOf = (format: string) => {
  const row = rows[format];
  if (!row) throw new Error(`${format} is not in the table`);
  return row;
};

describe.each(videoCodecs.map((codec) => [codec.name, codec] as const))("%s tells what it loses", (_name, codec) => {
  test.each(formats)("of %s", (pixelFormat) => {
    const film = { video: { pixelFormat } };
    const made = /pix_fmts=(\w+)$/.exec(videoFilters(target(codec), film))?.[1] ?? "";
    const told = warningsOf(target(codec), film).join();
    const [alpha, chroma, bits] = rowOf(pixelFormat);
    const [madeAlpha, madeChroma, madeBits] = rowOf(made);
    const seen = [/transparency/, /\d:\d:\d becomes/, /bits become/].map((word) => word.test(told));
    expect(seen, `${pixelFormat} becomes ${made}: ${told}`).toEqual([
      alpha && !madeAlpha,
      madeChroma < chroma,
      madeBits < bits,
    ]);
  });
});

test("what the job itself chooses is no loss", () => {
  const film = { video: { pixelFormat: "yuva444p12le" } };
  const video = { codec: "h264", chroma_format: "yuv420p" };
  expect(warningsOf({ file_pattern: "x.mp4", video }, film)).toEqual([]);
});

test.each([
  ["yuva444p12le", {}, "4444", "yuva444p10le"],
  ["rgba", {}, "4444", "yuva444p10le"],
  ["gbrp10le", {}, "4444", "yuv444p10le"],
  ["yuv444p", {}, "4444", "yuv444p10le"],
  ["yuv420p", {}, "standard", "yuv422p10le"],
  ["yuv422p10le", { chroma_format: "yuva444p10le" }, "4444", "yuva444p10le"],
  ["yuv422p10le", { chroma_format: "yuv444p10le" }, "4444", "yuv444p10le"],
  ["yuva444p12le", { chroma_format: "yuv422p10le" }, "standard", "yuv422p10le"],
  ["yuva444p12le", { profile: "apch" }, "hq", "yuv422p10le"],
  ["yuva444p12le", { profile: "ap4x" }, "4444xq", "yuva444p10le"],
])("the profile of ProRes of %s with %j is %s", (pixelFormat, more, profile, format) => {
  const target = { file_pattern: "x.mov", video: { codec: "prores", ...more } };
  const film = { video: { pixelFormat } };
  expect(videoWords(target, film)).toContain(`-profile ${profile} `);
  expect(videoFilters(target, film)).toContain(`pix_fmts=${format}`);
});

test.each([
  ["rgba", "rgba"],
  ["yuva444p12le", "rgba"],
  ["rgba64le", "rgba64be"],
  ["gbrp10le", "rgb48be"],
  ["yuv422p10le", "rgb24"],
])("a PNG of %s is %s", (pixelFormat, format) => {
  const target = { file_pattern: "x.png", video: { codec: "png" } };
  expect(videoFilters(target, { video: { pixelFormat } })).toContain(`pix_fmts=${format}`);
});

test.each([
  ["mov", "comment", true],
  ["mp4", "comment", false],
  ["mp4", "karaoke", true],
  ["mkv", "original", false],
  ["mpegts", "dub", true],
  ["mpegts", "default", false],
  ["dash-mp4", "karaoke", false],
] as const)(
  "a file of %s says that a sound is %s, or the result says that it does not: %s",
  (kind, disposition, isTold) => {
    const audio = [{ codec: "aac", disposition }];
    const told = warningsOf({ file_pattern: "x", container: { kind }, audio }).filter((each) =>
      /disposition/.test(each),
    );
    expect(told).toHaveLength(isTold ? 1 : 0);
  },
);

test("JPEG 2000 comes as near to its bit rate as the encoder can, and says where that is not near", () => {
  const from = { video: { width: 1280, height: 720, pixelFormat: "yuv422p10le" } };
  const j2k = (bitrate_kb: number) => ({
    ...{ file_pattern: "x.mxf", container: { kind: "mxf" } },
    video: { codec: "jpeg2000", bitrate_kb, frame_rate: 25 },
  });
  const told = (bitrate_kb: number) => warningsOf(j2k(bitrate_kb), from).filter((each) => /bitrate_kb/.test(each));
  expect([20_000, 60_000, 115_000, 345_600].flatMap(told)).toEqual([]);
  expect(told(230_000)).toHaveLength(1);
  expect(videoWords(j2k(60_000), from)).toContain("-compression_level 6");
});
