import { parseFrameRate, parseRational, toNumber } from "../../shared/basics/rational.ts";
import type { AudioReading, Reading, VideoReading } from "./reading.ts";
import { type Fields, fieldsAt, listOf, numberAt, textAt } from "./samples.ts";

/** What a file is to be: the target of a sample, and how long its source makes it. */
export type Wish = { readonly target: Fields; readonly durationSec: number | undefined };

/** One field of a file. `differs` says what it is instead of what was asked for; undefined where it is right. */
export type Check = {
  readonly field: string;
  readonly differs: (wish: Wish, reading: Reading) => string | undefined;
};

/** All that is wrong with a file, one sentence a field. */
export const faultsOf = (wish: Wish, reading: Reading): string[] =>
  checks.flatMap(({ field, differs }) => {
    const told = differs(wish, reading);
    return told === undefined ? [] : [`${field} ${told}`];
  });

const unless = (isRight: boolean, found: unknown, wanted: unknown): string | undefined =>
  isRight ? undefined : `is ${found}, not ${wanted}`;

type VideoCheck = (wanted: Fields, found: VideoReading, wish: Wish) => string | undefined;

const ofVideo = (field: string, differs: VideoCheck): Check => ({
  field: `video.${field}`,
  differs: (wish, reading) => {
    const [wanted, found] = [fieldsAt(wish.target, "video"), reading.video[0]];
    return found && hasVideo(wish.target) ? differs(wanted, found, wish) : undefined;
  },
});

type AudioCheck = (wanted: Fields, found: AudioReading, target: Fields) => string | undefined;

/** A field of every track of sound. */
const ofAudio = (field: string, differs: AudioCheck): Check => ({
  field: `audio.${field}`,
  differs: ({ target }, reading) => {
    const told = tracksOf(target).flatMap((wanted, index) => {
      const found = reading.audio[index];
      const fault = found && differs(wanted, found, target);
      return fault === undefined ? [] : [`of track ${index} ${fault}`];
    });
    return told.length > 0 ? told.join("; ") : undefined;
  },
});

export const hasVideo = (target: Fields): boolean =>
  target.video !== undefined && fieldsAt(target, "video").enabled !== false;

/** Tracks that may be missing are not counted on: what the source must have for them is not known here. */
const tracksOf = (target: Fields): readonly Fields[] =>
  listOf(target.audio).filter((track) => track.include_if_source_has === undefined && track.enabled !== false);

const formats: Readonly<Record<string, RegExp>> = {
  mp4: /mp4/,
  fmp4: /mp4|hls|dash/,
  segmented_mp4: /mp4|hls|dash/,
  mov: /mov/,
  mpegts: /mpegts/,
  mpeg2ts: /mpegts/,
  segmented_ts: /mpegts|hls/,
  mxf: /mxf/,
  mxf_d10: /mxf/,
  mkv: /matroska/,
  webm: /webm/,
  wav: /wav/,
  webvtt: /webvtt/,
  scc: /scc/,
  jpg: /image2|jpeg/,
  hls: /hls/,
  elementary: /./,
  mp1_elementary: /mpegvideo/,
  mp2_elementary: /mpegvideo/,
  mpeg2video: /mpegvideo/,
  mp3: /mp3/,
  aac: /aac/,
  aiff: /aiff/,
  flac: /flac/,
  ogg: /ogg/,
  avi: /avi/,
};

const codecs: Readonly<Record<string, RegExp>> = {
  h265: /^hevc$/,
  mpeg2: /^mpeg2video$/,
  jpeg: /^mjpeg$/,
  pcm: /^pcm_/,
  aac_lc: /^aac$/,
  mpeg4_aac: /^aac$/,
  mpeg2_aac: /^aac$/,
  heaac_v1: /^aac$/,
  heaac_v2: /^aac$/,
  dolby_digital: /^ac3$/,
  vendor_digital: /^ac3$/,
  dolby_digital_plus: /^eac3$/,
  vendor_digital_plus: /^eac3$/,
  copy: /./,
};
const codecOf = (name: string): RegExp => codecs[name] ?? new RegExp(`^${name}$`);

const profiles: Readonly<Record<string, RegExp>> = {
  baseline: /baseline/i,
  apco: /proxy/i,
  apcs: /lt$/i,
  apcn: /standard/i,
  apch: /hq/i,
  ap4h: /4444$/,
  "422P": /4:2:2/,
  MP: /main/i,
};
const profileOf = (name: string): RegExp => profiles[name] ?? new RegExp(`^${name}$`, "i");

/** The level as a stream writes it: H.264 says 31 for 3.1, HEVC 93. */
const levelsOf = (level: number): readonly number[] => [Math.round(level * 10), Math.round(level * 30)];

const languages: Readonly<Record<string, string>> = {
  english: "eng",
  italian: "ita",
  it: "ita",
  en: "eng",
  spanish: "spa",
};

/** Enough for any picture of a test: an encoder that gets more has no use for it. */
const plenty = 2000;

/** Bits a second of a short film are never met exactly, and plain pictures need less than they may take. */
const bitrate = (wanted: number | undefined, found: number, [low, high]: readonly [number, number]) => {
  if (wanted === undefined) return undefined;
  const isRight = found > Math.min(wanted * low, plenty) && found < wanted * high;
  return unless(isRight, Math.round(found), wanted);
};

const ratioOf = (value: unknown): number | undefined => {
  const read = parseRational(typeof value === "number" ? value : String(value ?? "").replace(":", "/"));
  return read && toNumber(read);
};

const groupOf = (video: Fields, rate: number): number | undefined => {
  const idr = fieldsAt(video, "idr_interval");
  const frames = numberAt(video, "exact_gop_frames") ?? numberAt(video, "max_gop_frames");
  const seconds = numberAt(idr, "seconds") ?? numberAt(idr, "max_sec") ?? numberAt(video, "max_keyframe_interval_sec");
  return frames ?? numberAt(idr, "frames") ?? numberAt(idr, "max_frames") ?? (seconds && Math.ceil(seconds * rate));
};

/** Every field that is checked; test/samples/checks.test.ts alters each of them. */
export const checks: readonly Check[] = [
  { field: "decoding", differs: (_, { complaints }) => (complaints === "" ? undefined : `complains: ${complaints}`) },
  {
    field: "container.kind",
    differs: ({ target }, { format }) => {
      const kind = textAt(fieldsAt(target, "container"), "kind");
      return kind === undefined || kind === "copy"
        ? undefined
        : unless((formats[kind] ?? /$^/).test(format), format, kind);
    },
  },
  {
    field: "container.brand",
    differs: ({ target }, { brand }) => {
      const wanted = textAt(fieldsAt(target, "container"), "brand");
      return wanted === undefined ? undefined : unless(brand?.trim() === wanted, brand, wanted);
    },
  },
  {
    field: "duration",
    differs: ({ durationSec, target }, reading) => {
      if (durationSec === undefined || isImage(target) || isText(target)) return undefined;
      return unless(Math.abs(reading.durationSec - durationSec) < 0.12, reading.durationSec, durationSec);
    },
  },
  {
    field: "video.count",
    differs: ({ target }, { video }) =>
      unless(video.length === Number(hasVideo(target)), video.length, Number(hasVideo(target))),
  },
  {
    field: "audio.count",
    differs: ({ target }, { audio }) => {
      const [least, most] = [tracksOf(target).length, listOf(target.audio).length];
      return unless(audio.length >= least && audio.length <= most, audio.length, most);
    },
  },
  {
    field: "subtitle.count",
    differs: ({ target }, { subtitles }) => {
      const captions = fieldsAt(fieldsAt(target, "video"), "closed_captions").enable_quicktime_c608 === true ? 1 : 0;
      const wanted = listOf(target.subtitle).length + captions;
      return unless(subtitles === wanted, subtitles, wanted);
    },
  },
  {
    field: "timecode",
    differs: ({ target }, { timecode }) => {
      const [track] = listOf(target.timecode);
      if (!track || fieldsAt(target, "container").enable_data_tracks !== true) return undefined;
      const start = textAt(track, "start_value");
      return unless(timecode !== undefined && (start === undefined || timecode === start), timecode, start ?? "there");
    },
  },
  {
    field: "second reader",
    differs: (_, { video, audio, second }) => {
      if (!second) return undefined;
      const sizes = (each: { width: number; height: number }) => `${each.width}x${each.height}`;
      const tracks = (each: { channels: number; sampleRate: number }) =>
        `${each.channels} channels at ${each.sampleRate}`;
      const [ours, theirs] = [
        [...video.map(sizes), ...audio.map(tracks)].join(", "),
        [...second.video.map(sizes), ...second.audio.map(tracks)].join(", "),
      ];
      return unless(ours === theirs, theirs, ours);
    },
  },
  ofVideo("codec", (wanted, { codec }) => {
    const name = textAt(wanted, "codec");
    return name === undefined ? undefined : unless(codecOf(name).test(codec), codec, name);
  }),
  ofVideo("profile", (wanted, { profile }) => {
    const name = textAt(wanted, "profile");
    return name === undefined ? undefined : unless(profileOf(name).test(profile), profile, name);
  }),
  ofVideo("level", (wanted, { level = 0 }) => {
    const asked = numberAt(wanted, "level");
    return asked === undefined ? undefined : unless(levelsOf(asked).includes(level), level, asked);
  }),
  ofVideo("width", (wanted, { width }) => {
    const asked = numberAt(wanted, "width");
    return asked === undefined ? undefined : unless(width === asked, width, asked);
  }),
  ofVideo("height", (wanted, { height }, { target }) => {
    // Tapes of this standard have 32 lines above the picture.
    const above = textAt(target, "compliance") === "xdcam_imx" ? 32 : 0;
    const asked = numberAt(wanted, "height");
    return asked === undefined ? undefined : unless(height === asked + above, height, asked + above);
  }),
  ofVideo("par", (wanted, { par }) => {
    const asked = ratioOf(wanted.par);
    return asked === undefined ? undefined : unless(Math.abs(par - asked) < 0.01, par, asked);
  }),
  ofVideo("frame_rate", (wanted, { frameRate }, { target }) => {
    const asked = parseFrameRate(textAt(wanted, "frame_rate"));
    if (!asked || isImage(target)) return undefined;
    return unless(Math.abs(frameRate - toNumber(asked)) < 0.001, frameRate, toNumber(asked));
  }),
  ofVideo("chroma_format", (wanted, { pixelFormat }) => {
    const asked = textAt(wanted, "chroma_format");
    return asked === undefined ? undefined : unless(pixelFormat === asked, pixelFormat, asked);
  }),
  ofVideo("interlace_mode", (wanted, { order }) => {
    const asked = textAt(wanted, "interlace_mode");
    const orders: Readonly<Record<string, RegExp>> = { progressive: /progressive|unknown/, tff: /^t/, bff: /^b/ };
    return asked === undefined ? undefined : unless((orders[asked] ?? /$^/).test(order), order, asked);
  }),
  ofVideo("bitrate_kb", (wanted, { bitrateKb }) => bitrate(numberAt(wanted, "bitrate_kb"), bitrateKb, [0.2, 1.4])),
  ofVideo("gop", (wanted, { longestGroup, frameRate }) => {
    const asked = groupOf(wanted, frameRate);
    return asked === undefined
      ? undefined
      : unless(longestGroup <= asked, `${longestGroup} frames`, `${asked} at most`);
  }),
  ofAudio("codec", (wanted, { codec }) => {
    const name = textAt(wanted, "codec");
    return name === undefined ? undefined : unless(codecOf(name).test(codec), codec, name);
  }),
  ofAudio("channels", (wanted, { channels }) => {
    const asked = numberAt(wanted, "channels");
    return asked === undefined ? undefined : unless(channels === asked, channels, asked);
  }),
  ofAudio("sample_rate", (wanted, { sampleRate }) => {
    const asked = numberAt(wanted, "sample_rate");
    return asked === undefined ? undefined : unless(sampleRate === asked, sampleRate, asked);
  }),
  ofAudio("sample_size", (wanted, { bits, codec }) => {
    const asked = numberAt(wanted, "sample_size");
    return asked === undefined || !codec.startsWith("pcm_") ? undefined : unless(bits === asked, bits, asked);
  }),
  ofAudio("language", (wanted, { language }, target) => {
    const asked = textAt(wanted, "language");
    // The job is told that MXF holds none.
    const isHeld = !/^mxf/.test(textAt(fieldsAt(target, "container"), "kind") ?? "");
    return asked === undefined || !isHeld
      ? undefined
      : unless(language === (languages[asked] ?? asked), language, asked);
  }),
  ofAudio("bitrate_kb", (wanted, { codec, bitrateKb }) =>
    codec.startsWith("pcm_") ? undefined : bitrate(numberAt(wanted, "bitrate_kb"), bitrateKb, [0.3, 1.25]),
  ),
];

/** Whether each stream of a target is a file of its own. */
export const isElementary = (target: Fields): boolean =>
  /elementary|^mpeg2video$/.test(textAt(fieldsAt(target, "container"), "kind") ?? "");

/** Whether a target is one picture or many, each a file. */
/** A text lasts as long as its last line is shown. */
const isText = (target: Fields): boolean =>
  /^(webvtt|srt|ttml|imsc1|ass|scc)$/.test(textAt(fieldsAt(target, "container"), "kind") ?? "");

/** Stills, by their container, by their codec, or, where the target names neither, by the name of their files. */
export const isImage = (target: Fields): boolean => {
  const kind = textAt(fieldsAt(target, "container"), "kind");
  const codec = textAt(fieldsAt(target, "video"), "codec");
  if (kind === undefined && codec === undefined)
    return /\.(jpe?g|j2k|jp2|png)$/i.test(textAt(target, "file_pattern") ?? "");
  return /^(jpg|j2k|png)$/.test(kind ?? "") || /^(jpeg|png)$/.test(codec ?? "");
};
