import type { Rational } from "../../../shared/basics/rational.ts";
import { soundBytes } from "../channel-labels.ts";
import { withPictureLength } from "./edit-length.ts";
import { type Jp2Header, jp2Boxes } from "./jp2-header.ts";
import { boxed, boxesIn, textAt } from "./parts.ts";
import { type TimecodeTrack, withTimecodes } from "./timecodes.ts";
import { withNextTrack } from "./track-numbers.ts";

/** Changes of the boxes at the head of an MP4 or QuickTime file, which its muxer has no options for. */
export type BoxChanges = {
  readonly brands?: { readonly names: readonly string[]; readonly replaces: boolean } | undefined;
  /** Four letters in the description of each picture track, of QuickTime files. */
  readonly vendor?: string | undefined;
  /** The whole picture is the clean aperture. */
  readonly hasAperture?: boolean | undefined;
  /** What readers need of JPEG 2000 beside the stream. */
  readonly jp2?: Jp2Header | undefined;
  /** What HDR10 says of pictures, as `mdcv` and `clli` hold it. */
  readonly hdr10?: Hdr10Boxes | undefined;
  /** Names of the channels of sound tracks by their number: labels of QuickTime, positions of MP4. */
  readonly sounds?: readonly SoundNames[] | undefined;
  /** Tracks of timecode beside the one that is there. */
  readonly timecodes?: readonly TimecodeTrack[] | undefined;
  /** Seconds for which the picture is shown; what its track holds beyond is hidden. */
  readonly pictureLasts?: Rational | undefined;
  /** The number of the next track is to be counted again; any other change does so too. */
  readonly countsTracks?: boolean | undefined;
};

type Hdr10Boxes = {
  /** Green, blue, red and white by two numbers each in 1/50000, the most and the least light in 1/10000 candelas. */
  readonly display?: readonly number[] | undefined;
  /** The most light of a point and of a picture. */
  readonly light?: readonly number[] | undefined;
};

type SoundNames = {
  readonly track: number;
  readonly labels?: readonly number[] | undefined;
  readonly positions?: readonly number[] | undefined;
};

/** The file type box with other compatible brands; none of them twice. */
export const changedType = (box: Uint8Array, { brands }: BoxChanges): Uint8Array => {
  if (!brands) return box;
  const count = Math.floor((box.length - 16) / 4);
  const old = Array.from({ length: Math.max(0, count) }, (_, at) => textAt(box, 16 + at * 4));
  const names = [...new Set([...(brands.replaces ? [] : old), ...brands.names.map((name) => name.padEnd(4))])];
  return boxed("ftyp", [box.subarray(8, 16), new TextEncoder().encode(names.join(""))]);
};

/** Where things come to lie: chunks of before, and the first byte behind all else. */
export type Places = { readonly moved: (offset: number) => number; readonly end: number };

/** The movie box, whose offsets of chunks follow `moved`. */
export const changedMovie = (box: Uint8Array, changes: BoxChanges, { moved, end }: Places): Uint8Array => {
  const made = changed(box, { changes, moved, isPicture: false, sounds: [...(changes.sounds ?? [])] });
  const shown = changes.pictureLasts ? withPictureLength(made, changes.pictureLasts) : made;
  const counted = withNextTrack(shown);
  return changes.timecodes ? withTimecodes(counted, changes.timecodes, end) : counted;
};

type Work = {
  readonly changes: BoxChanges;
  readonly moved: (offset: number) => number;
  /** Within the track of a picture. */
  readonly isPicture: boolean;
  readonly sounds: readonly SoundNames[];
  /** Within a track of sound. */
  readonly sound?: SoundNames | undefined;
};

const containers = ["moov", "trak", "mdia", "minf", "stbl"];

const changed = (box: Uint8Array, work: Work): Uint8Array => {
  const type = textAt(box, 4);
  if (type === "stco" || type === "co64") return withOffsets(box, type, work.moved);
  if (type === "stsd" && work.isPicture) return withDescriptions(box, work.changes);
  if (type === "stsd" && work.sound) return withChannels(box, work.sound);
  if (!containers.includes(type)) return box;
  let track = -1;
  const within = boxesIn(box, 8).map((each) => {
    const handler = textAt(each, 4) === "trak" ? handlerOf(each) : undefined;
    if (handler === "soun") track += 1;
    const sound = handler === "soun" ? work.sounds.find((names) => names.track === track) : work.sound;
    return changed(each, { ...work, sound, isPicture: work.isPicture || handler === "vide" });
  });
  return boxed(type, within);
};

const handlerOf = (track: Uint8Array): string | undefined => {
  const media = boxesIn(track, 8).find((each) => textAt(each, 4) === "mdia");
  const handler = media && boxesIn(media, 8).find((each) => textAt(each, 4) === "hdlr");
  return handler && textAt(handler, 16);
};

/** In place of the muxer's own names. */
const withChannels = (box: Uint8Array, names: SoundNames): Uint8Array => {
  const entries = boxesIn(box, 16).map((entry) => {
    const version = names.labels ? new DataView(entry.buffer, entry.byteOffset).getUint16(16) : 0;
    const head = soundBytes[version] ?? entry.length;
    if (entry.length < head) return entry;
    const others = boxesIn(entry, head).filter((each) => !/^(chan|chnl)$/.test(textAt(each, 4)));
    const made = names.labels ? channelLabels(names.labels) : channelPositions(names.positions ?? []);
    return boxed(textAt(entry, 4), [entry.subarray(8, head), ...others, made]);
  });
  return boxed("stsd", [box.subarray(8, 16), ...entries]);
};

/** `chan` with a description of each channel (Core Audio's AudioChannelLayout): a label, no flags, no coordinates. */
const channelLabels = (labels: readonly number[]): Uint8Array => {
  const made = new DataView(new ArrayBuffer(16 + labels.length * 20));
  made.setUint32(12, labels.length);
  for (const [at, label] of labels.entries()) made.setUint32(16 + at * 20, label);
  return boxed("chan", [new Uint8Array(made.buffer)]);
};

/** `chnl` of version 0 (ISO/IEC 14496-12, 12.2.4): structured by channels, of no defined layout. */
const channelPositions = (positions: readonly number[]): Uint8Array =>
  boxed("chnl", [new Uint8Array([0, 0, 0, 0, 1, 0, ...positions])]);

const withOffsets = (box: Uint8Array, type: "stco" | "co64", moved: Work["moved"]): Uint8Array => {
  const made = box.slice();
  const view = new DataView(made.buffer);
  const size = type === "stco" ? 4 : 8;
  for (let at = 16; at + size <= made.length; at += size) {
    if (size === 8) view.setBigUint64(at, BigInt(moved(Number(view.getBigUint64(at)))));
    else view.setUint32(at, fitting(moved(view.getUint32(at))));
  }
  return made;
};

const fitting = (offset: number): number => {
  if (offset < 2 ** 32) return offset;
  throw new RangeError("an offset does not fit into 32 bits");
};

/** Bytes of a picture's description before the boxes that follow. */
const described = 86;

const withDescriptions = (box: Uint8Array, { vendor, hasAperture, hdr10, jp2 }: BoxChanges): Uint8Array => {
  const entries = boxesIn(box, 16).map((entry) => {
    if (entry.length < described) return entry;
    const made = entry.slice();
    if (vendor) made.set(new TextEncoder().encode(vendor.padEnd(4).slice(0, 4)), 20);
    const added = [
      ...(jp2 ? [boxed("jp2h", [jp2Boxes(jp2)])] : []),
      ...(hasAperture ? [boxed("clap", [apertureOf(made)])] : []),
      ...(hdr10 ? lightBoxes(hdr10) : []),
    ];
    if (added.length === 0) return made;
    const others = boxesIn(made, described).filter((each) => !hdr10 || !/^(mdcv|clli)$/.test(textAt(each, 4)));
    return boxed(textAt(made, 4), [
      made.subarray(8, described),
      ...(hdr10 ? others : []),
      ...added,
      ...(hdr10 ? [] : others),
    ]);
  });
  return boxed("stsd", [box.subarray(8, 16), ...entries]);
};

/** ISO/IEC 14496-12, 12.1.7 and 12.1.6. */
const lightBoxes = ({ display, light }: Hdr10Boxes): Uint8Array[] => [
  ...(display ? [boxed("mdcv", [numbered(display, (at) => (at < 8 ? 2 : 4))])] : []),
  ...(light ? [boxed("clli", [numbered(light, () => 2)])] : []),
];

const numbered = (numbers: readonly number[], sizeOf: (at: number) => 2 | 4): Uint8Array => {
  const made = new DataView(new ArrayBuffer(numbers.reduce((sum, _, at) => sum + sizeOf(at), 0)));
  let place = 0;
  for (const [at, number] of numbers.entries()) {
    if (sizeOf(at) === 2) made.setUint16(place, Math.min(number, 0xffff));
    else made.setUint32(place, Math.min(number, 0xffff_ffff));
    place += sizeOf(at);
  }
  return new Uint8Array(made.buffer);
};

/** Width, height and the offsets of the middle, each as a fraction. */
const apertureOf = (entry: Uint8Array): Uint8Array => {
  const view = new DataView(entry.buffer, entry.byteOffset);
  const numbers = [view.getUint16(32), 1, view.getUint16(34), 1, 0, 1, 0, 1];
  const made = new DataView(new ArrayBuffer(32));
  for (const [at, number] of numbers.entries()) made.setUint32(at * 4, number);
  return new Uint8Array(made.buffer);
};
