import { expect, test } from "vitest";
import { jp2Boxes, jp2HeaderOf } from "../../../../media/formats/mp4/jp2-header.ts";

const size = { width: 424, height: 180 };

test.each([
  ["yuv420p", 3, 8, 18],
  ["yuv422p10le", 3, 10, 18],
  ["rgb24", 3, 8, 16],
  ["gbrp12le", 3, 12, 16],
  ["yuva444p16le", 4, 16, 18],
  ["rgba64le", 4, 16, 16],
])("of %s are %i components of %i bits in colours of number %i", (format, components, bits, colorSpace) => {
  expect(jp2HeaderOf(format, size)).toEqual({ ...size, components, bits, colorSpace });
});

test("the colours of cinemas are in no list", () => expect(jp2HeaderOf("xyz12le", size)).toBeUndefined());

test("the boxes say so where the standard has it", () => {
  const header = jp2HeaderOf("yuv422p10le", size);
  if (!header) throw new Error("it has colours");
  const bytes = Buffer.from(jp2Boxes(header));
  expect(bytes.subarray(0, 22)).toEqual(
    Buffer.from([0, 0, 0, 22, ...Buffer.from("ihdr"), 0, 0, 0, 180, 0, 0, 424 >> 8, 424 & 255, 0, 3, 9, 7, 0, 0]),
  );
  expect(bytes.subarray(22)).toEqual(Buffer.from([0, 0, 0, 15, ...Buffer.from("colr"), 1, 0, 0, 0, 0, 0, 18]));
});
