import type { Rational } from "../../../../shared/basics/rational.ts";
import { dvdPictures, type Raster, svcdPictures, vcdPictures } from "./raster.ts";

/** Kilobits a second of a codec on a disc, where the job names none and at most; the buffer of players in kilobits. */
type PictureRate = {
  readonly usual: number;
  readonly most: number;
  readonly buffer: number;
  readonly isConstant?: true;
};
type SoundRate = { readonly usual: number; readonly most: number };

/** What players of a disc can read. */
export type Disc = {
  readonly name: string;
  readonly rasters: readonly Raster[];
  /** By codec: others are not on such a disc. */
  readonly pictures: Readonly<Record<string, PictureRate>>;
  readonly group: (rate: Rational) => number;
  readonly sampleRate: number;
  readonly sounds: Readonly<Record<string, SoundRate | undefined>>;
};

/** 0.6 seconds. */
const group = (rate: Rational): number => (rate.den === 1001 ? 18 : 15);

/** By the muxer that keeps to each. Sizes, rates and groups: DVD-Video part 3, Video CD 2.0, IEC 62107 (Super Video CD). */
export const discs: Readonly<Record<string, Disc>> = {
  dvd: {
    ...{ name: "DVD", rasters: dvdPictures, group, sampleRate: 48_000 },
    pictures: {
      mpeg2: { usual: 6000, most: 9800, buffer: 1835 },
      mpeg1: { usual: 1150, most: 1856, buffer: 327 },
    },
    sounds: { ac3: { usual: 192, most: 448 }, mp2: { usual: 224, most: 384 }, pcm: undefined },
  },
  svcd: {
    ...{ name: "SVCD", rasters: svcdPictures, group, sampleRate: 44_100 },
    pictures: { mpeg2: { usual: 2040, most: 2600, buffer: 917 } },
    sounds: { mp2: { usual: 224, most: 384 } },
  },
  vcd: {
    ...{ name: "VCD", rasters: vcdPictures, group, sampleRate: 44_100 },
    pictures: { mpeg1: { usual: 1150, most: 1150, buffer: 327, isConstant: true } },
    sounds: { mp2: { usual: 224, most: 224 } },
  },
};
