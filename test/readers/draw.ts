import type { randomFrom } from "../helpers/random/random.ts";
import { channelsOf, type Material, materials } from "./material.ts";

/** One job, and what its output must be. */
export type Drawn = {
  readonly nr: number;
  readonly material: Material;
  readonly target: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly expected: Expected;
};

export type Expected = {
  /** Of the output's first and last picture, as they are numbered in the source. */
  readonly first: number;
  readonly last: number;
  /** Pictures of the output. */
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  /** Frames a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Undefined: no sound. */
  readonly channels: number | undefined;
  readonly video: string;
  readonly audio: string | undefined;
};

type Form = { readonly kind: string; readonly ending: string; readonly video: string[]; readonly audio: string[] };

const forms: readonly Form[] = [
  {
    kind: "mp4",
    ending: "mp4",
    video: ["h264", "h265", "av1", "mpeg4", "vp9"],
    audio: ["aac", "ac3", "eac3", "flac", "opus", "mp3", "alac"],
  },
  { kind: "fmp4", ending: "mp4", video: ["h264", "h265", "vp9"], audio: ["aac", "opus", "flac"] },
  {
    kind: "mov",
    ending: "mov",
    video: ["h264", "mpeg2", "prores", "mjpeg", "jpeg2000", "mpeg4", "raw"],
    audio: ["pcm", "aac", "alac", "ac3"],
  },
  {
    kind: "mkv",
    ending: "mkv",
    video: ["h264", "h265", "vp8", "vp9", "av1", "mpeg2", "mpeg4", "mjpeg"],
    audio: ["pcm", "aac", "opus", "vorbis", "flac", "ac3", "mp2", "mp3"],
  },
  { kind: "webm", ending: "webm", video: ["vp8", "vp9", "av1"], audio: ["opus", "vorbis"] },
  { kind: "mxf", ending: "mxf", video: ["mpeg2", "h264", "jpeg2000"], audio: ["pcm"] },
  { kind: "mpegts", ending: "ts", video: ["h264", "h265", "mpeg2"], audio: ["aac", "ac3", "eac3", "mp2", "mp3"] },
  { kind: "mp2_program", ending: "mpg", video: ["mpeg2"], audio: ["mp2", "ac3"] },
  { kind: "avi", ending: "avi", video: ["mpeg4", "h264", "mjpeg"], audio: ["mp3", "ac3", "pcm"] },
  { kind: "ismv", ending: "ismv", video: ["h264"], audio: ["aac"] },
  { kind: "wav", ending: "wav", video: [], audio: ["pcm"] },
  { kind: "flac", ending: "flac", video: [], audio: ["flac"] },
  { kind: "mp3", ending: "mp3", video: [], audio: ["mp3"] },
  { kind: "ogg", ending: "ogg", video: [], audio: ["vorbis", "opus"] },
];

/** More channels than these codecs have: the job asks for two. */
const mostChannels: Readonly<Record<string, number>> = { mp2: 2, mp3: 2, ac3: 6, eac3: 6, opus: 8, vorbis: 8 };

/** What MPEG-2 knows, and a farm is asked for. */
const broadcastRates: readonly Material["rate"][] = [
  [24000, 1001],
  [24, 1],
  [25, 1],
  [30000, 1001],
  [30, 1],
  [50, 1],
  [60000, 1001],
];

type Random = ReturnType<typeof randomFrom>;

/** A job whose output is known from its numbers alone. */
export const draw = (nr: number, random: Random): Drawn => {
  const form = random.one(forms);
  const material = random.one(materials.filter(({ layout }) => form.video.length > 0 || layout !== undefined));
  const name = `o${nr}.${form.ending}`;
  const cut = drawCut(material, random);
  const picture = form.video.length > 0 ? drawPicture(material, random.one(form.video), random) : undefined;
  const sound = material.layout === undefined ? undefined : drawSound(material.layout, random.one(form.audio), random);
  const [num, den] = picture?.rate ?? material.rate;
  return {
    ...{ nr, material, name },
    target: {
      ...{ file_pattern: name, container: { kind: form.kind }, ...cut.fields },
      ...(picture && { video: picture.fields }),
      ...(sound && { audio: [sound.fields] }),
    },
    expected: {
      ...{ first: cut.from, last: cut.until - 1, seconds: cut.seconds, rate: num / den },
      frames: picture ? Math.round((cut.seconds * num) / den) : 0,
      ...{ width: picture?.width ?? 0, height: picture?.height ?? 0, video: picture?.fields.codec ?? "" },
      ...{ channels: sound?.channels, audio: sound?.fields.codec },
    },
  };
};

const drawCut = ({ frames, rate: [num, den] }: Material, random: Random) => {
  const cut = random.one(["none", "none", "in", "both"] as const);
  const from = cut === "none" ? 0 : random.integer(1, Math.floor(frames / 3));
  const until = cut === "both" ? frames - random.integer(1, Math.floor(frames / 4)) : frames;
  const trim = {
    inpoint_sec: (from * den) / num,
    ...(cut === "both" && { outpoint_sec: (until * den) / num }),
  };
  return { from, until, seconds: ((until - from) * den) / num, fields: cut === "none" ? {} : { trim } };
};

/** What has no number of bits to aim at. */
const byQuality = new Set(["prores", "mjpeg", "jpeg2000", "raw"]);

const drawPicture = (material: Material, codec: string, random: Random) => {
  const wanted = random.chance(0.3) ? random.one(broadcastRates) : material.rate;
  const isKnown = codec !== "mpeg2" || broadcastRates.some((rate) => isSame(rate, wanted));
  const rate = isKnown ? wanted : ([25, 1] as const);
  const scale = random.chance(0.4) ? random.one([0.5, 0.75, 1.5]) : 1;
  const even = (value: number) => (scale === 1 ? value : 2 * Math.round((value * scale) / 2));
  const [width, height] = [even(material.width), even(material.height)];
  const fields = {
    ...{ codec, ...(scale !== 1 && { width, height }) },
    ...(!isSame(rate, material.rate) && { frame_rate: `${rate[0]}/${rate[1]}` }),
    ...(!byQuality.has(codec) && { bitrate_kb: 2500 }),
  };
  return { rate, width, height, fields };
};

const isSame = ([a, b]: Material["rate"], [c, d]: Material["rate"]): boolean => a * d === b * c;

/** Filters that make other channels or another rate of a sound, and how many channels then are left of so many. */
const soundFilters: readonly { readonly kind: string; readonly payload: object; readonly channels?: number }[] = [
  { kind: "mixdown", payload: { layout: "stereo" }, channels: 2 },
  { kind: "mixdown", payload: { channels: 1 }, channels: 1 },
  { kind: "resample", payload: { sample_rate: 32_000, quality: "high" } },
];

const drawSound = (layout: string, codec: string, random: Random) => {
  const own = channelsOf[layout] ?? 0;
  const channels = own > (mostChannels[codec] ?? 8) ? 2 : own;
  const fields = { codec, ...(channels !== own && { channels }) };
  // Opus has no 32 kHz, and a track that is mixed already keeps the channels that the job asks for.
  if (!random.chance(0.2) || channels !== own || codec === "opus") return { channels, fields };
  const { channels: left = channels, ...filter } = random.one(soundFilters);
  return { channels: left, fields: { ...fields, filters: [filter] } };
};
