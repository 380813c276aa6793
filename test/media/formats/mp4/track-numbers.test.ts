import { expect, test } from "vitest";
import { boxed } from "../../../../media/formats/mp4/parts.ts";
import { withNextTrack } from "../../../../media/formats/mp4/track-numbers.ts";

const numbered = (bytes: number, at: number, number: number, version = 0): Uint8Array => {
  const made = new Uint8Array(bytes);
  made[0] = version;
  new DataView(made.buffer).setUint32(at, number);
  return made;
};

/** Times of version 0 have four bytes each, those of version 1 eight. */
const track = (id: number, version: 0 | 1) =>
  boxed("trak", [boxed("tkhd", [version === 1 ? numbered(92, 20, id, 1) : numbered(80, 12, id)])]);
const movie = (next: number, ...tracks: readonly Uint8Array[]) =>
  boxed("moov", [boxed("mvhd", [numbered(96, 92, next)]), ...tracks]);

test.each([
  ["is behind the last of several tracks, whatever their order", 2, [track(3, 0), track(1, 0), track(2, 1)], 4],
  ["counts long headers", 2, [track(1, 1), track(700, 1)], 701],
  ["stays where it is larger already", 9, [track(1, 0), track(2, 0)], 9],
  ["stays where there is no track", 1, [], 1],
  [
    "of the last number that there is means that a free one has to be looked for",
    2,
    [track(0xffff_ffff, 0)],
    0xffff_ffff,
  ],
] as const)("the number of the next track %s", (_name, before, tracks, after) => {
  expect(Buffer.from(withNextTrack(movie(before, ...tracks)))).toEqual(Buffer.from(movie(after, ...tracks)));
});
