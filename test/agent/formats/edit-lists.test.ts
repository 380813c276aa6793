import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withEditLists } from "../../../agent/formats/edit-lists.ts";
import { boxed } from "../../../media/formats/mp4/parts.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import { type MediaFacts, mediaFacts } from "../../../shared/model/asset.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mediafarm-edits-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const numbers = (...values: readonly number[]): Uint8Array => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, at * 4);
  return bytes;
};

/** Words of an edit of version 1: a length and a time of 64 bits, and the usual rate. */
const edit = ([high, low]: readonly [number, number], mediaTime = 0): number[] => [high, low, 0, mediaTime, 65_536];

/** A film of one picture track with these scales and this edit list. */
const film = (movieScale: number, mediaScale: number, list: readonly number[]): Uint8Array =>
  boxed("moov", [
    boxed("mvhd", [numbers(0, 0, 0, movieScale, 9000, ...Array<number>(20).fill(0))]),
    boxed("trak", [
      boxed("tkhd", [numbers(0, 0, 0, 1, 0, 9000, ...Array<number>(16).fill(0))]),
      boxed("edts", [boxed("elst", [numbers(...list)])]),
      boxed("mdia", [boxed("mdhd", [numbers(0, 0, 0, mediaScale, 9000, 0)])]),
    ]),
  ]);

const facts = (size: number): MediaFacts => ({
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", size, duration: ratio(9), bitRate: 1000, audio: [], others: [] },
  video: [
    {
      ...{ index: 0, id: 1, codec: "h264", timeBase: ratio(1, 1000), width: 16, height: 16, frames: 225 },
      ...{ duration: ratio(9), frameRate: ratio(25), averageFrameRate: ratio(25) },
    },
  ],
});

const read = async (bytes: Uint8Array, size = bytes.length): Promise<MediaFacts> => {
  const path = join(folder, "film.mp4");
  writeFileSync(path, bytes);
  return withEditLists(facts(size), path);
};

/** Version 1, so many entries. */
const long = (count: number): number[] => [0x0100_0000, count];
const most: readonly [number, number] = [0x001f_ffff, 0xffff_ffff];

test.each<[string, Uint8Array]>([
  ["whose lengths together are no number any more", film(1, 1, [...long(2), ...edit(most), ...edit(most)])],
  [
    "so short that no rate of bits is a number",
    film(4_294_967_295, 1000, [...long(2), ...edit([0, 1]), ...edit([0, 1])]),
  ],
  [
    "of negative lengths",
    film(1000, 1000, [...long(2), ...edit([0xffff_ffff, 0xffff_ffff]), ...edit([0x8000_0000, 0])]),
  ],
  [
    "of negative times",
    film(1000, 1000, [...long(2), ...edit([0, 500], 0x8000_0000), 0, 500, 0xffff_ffff, 0xffff_fff0, 0]),
  ],
  ["that says four billion entries", film(1000, 1000, [...long(0xffff_ffff), ...edit([0, 4000]), ...edit([0, 500])])],
  ["of scales of nothing", film(0, 0, [...long(2), ...edit([0, 4000]), ...edit([0, 500])])],
  ["cut off within its head", film(1000, 1000, [0x0100_0000])],
])("of an edit list %s, only what a message may carry is told", async (_what, bytes) => {
  // As large as a film: its rate of bits is worked out from it.
  const told = await read(bytes, 10_000_000_000);
  expect(mediaFacts.safeParse(told).error).toBeUndefined();
  expect([told.size, told.video.length]).toEqual([10_000_000_000, 1]);
});

test("a film of several edits is as long as what they show", async () => {
  const told = await read(film(1000, 1000, [...long(2), ...edit([0, 4000]), ...edit([0, 500])]));
  expect([told.duration, told.video[0]?.edits?.length]).toEqual([ratio(9, 2), 2]);
});
