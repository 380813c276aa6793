import { expect, test } from "vitest";
import { bitDepthOf, chromaOf, colorSpaceOf } from "../../../media/formats/pixel-format.ts";

test.each([
  ["yuv420p", 8, "CS_420", "YUV"],
  ["yuvj422p", 8, "CS_422", "YUV"],
  ["yuv420p10le", 10, "CS_420", "YUV"],
  ["yuv422p10le", 10, "CS_422", "YUV"],
  ["yuva444p12le", 12, "CS_444", "YUV"],
  ["yuv411p", 8, "CS_411", "YUV"],
  ["p010le", 10, "CS_420", "YUV"],
  ["nv12", 8, "CS_420", "YUV"],
  ["rgb24", 8, undefined, "RGB"],
  ["rgb48be", 16, undefined, "RGB"],
  ["gbrp10le", 10, undefined, "RGB"],
  ["gray", 8, undefined, "Y"],
  ["gray10le", 10, undefined, "Y"],
] as const)("%s has %i bits, %s, %s", (format, bits, chroma, space) => {
  expect([bitDepthOf(format), chromaOf(format), colorSpaceOf(format)]).toEqual([bits, chroma, space]);
});

test("an unknown format tells nothing", () => {
  expect([bitDepthOf(undefined), chromaOf(undefined), colorSpaceOf(undefined)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
