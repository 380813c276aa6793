import { z } from "zod";
import { invert, multiply, parseRational, type Rational, ratio, toNumber } from "../../shared/basics/rational.ts";
import type { MediaFacts, VideoFacts } from "../../shared/model/asset.ts";
import { ffprobeArgv } from "./opening-args.ts";
import { sensibleFacts } from "./sensible-facts.ts";
import { hdrOf, sideData } from "./side-data.ts";

/** ffprobe's command for one checked local file, or the joined bytes of some; `more` is requested with the rest. */
export const probeArgv = (path: string, isJoined = false, more: readonly string[] = []): string[] =>
  ffprobeArgv(path, isJoined, ["-show_format", "-show_streams", "-show_chapters", ...more, "-of", "json"]);

const mostStreams = 1000;
const mostChapters = 10_000;
const mostText = 2000;

/** Text from an untrusted file: short, and without control characters, which grow sixfold in JSON. */
const harmless = (words: string): string =>
  words
    .slice(0, mostText)
    .replace(/\p{Cc}/gu, " ")
    .toWellFormed();

const text = z.string().transform(harmless).optional().catch(undefined);
const number = z.preprocess(
  (value) => (value === "" ? undefined : value),
  z.coerce.number().optional().catch(undefined),
);
const tags = z
  .record(z.string(), z.string())
  .transform((all) => new Map(Object.entries(all).map(([key, value]) => [key.toLowerCase(), harmless(value)])))
  .catch(new Map());

const probedStream = z.looseObject({
  index: z.number().int(),
  id: text,
  codec_type: text,
  codec_name: text,
  codec_tag_string: text,
  profile: text,
  time_base: text,
  start_pts: number,
  duration_ts: number,
  duration: text,
  bit_rate: number,
  width: number,
  height: number,
  pix_fmt: text,
  r_frame_rate: text,
  avg_frame_rate: text,
  nb_frames: number,
  sample_aspect_ratio: text,
  field_order: text,
  level: number,
  has_b_frames: number,
  color_range: text,
  color_space: text,
  color_primaries: text,
  color_transfer: text,
  channels: number,
  channel_layout: text,
  sample_rate: number,
  bits_per_sample: number,
  initial_padding: number,
  bits_per_raw_sample: number,
  disposition: z
    .looseObject({ attached_pic: number, forced: number, hearing_impaired: number })
    .catch({ attached_pic: 0 }),
  side_data_list: sideData,
  tags,
});
type ProbedStream = z.output<typeof probedStream>;

const probed = z.looseObject({
  streams: z.array(probedStream).max(mostStreams).default([]),
  chapters: z
    .array(z.looseObject({ start_time: text, end_time: text, tags }))
    .catch([])
    .refine(({ length }) => length <= mostChapters, `has more than ${mostChapters} chapters`),
  format: z.looseObject({
    format_name: z.string().transform(harmless),
    start_time: text,
    duration: text,
    bit_rate: number,
    tags,
  }),
});

/**
 * ffprobe's JSON as facts. Impossible values ("0/0", level -99, language "und") are omitted. Width and height are those
 * of the upright picture: ffmpeg rotates it before any filter. Throws ZodError.
 */
export const parseProbe = (json: string, size: number): MediaFacts => {
  const { streams, chapters, format } = probed.parse(JSON.parse(json));
  const timecodes = timecodesOf(format, streams);
  const video = streams.filter(isVideo);
  const audio = streams.filter(isAudio);
  const others = streams.filter((stream) => !isVideo(stream) && !isAudio(stream));
  return sensibleFacts({
    format: format.format_name,
    start: rationalOf(format.start_time),
    duration: positive(rationalOf(format.duration)),
    bitRate: above0(format.bit_rate),
    size,
    ...writingOf(format.tags),
    ...(format.format_name === "wav" && broadcastOf(format.tags, audio[0])),
    timecode: timecodes[0]?.value,
    ...(timecodes.length > 0 && { timecodes }),
    ...sectionsOf(chapters),
    video: video.map(toVideo).map((each) => displayed(each, format.format_name)),
    audio: audio.map(toAudio),
    others: others.map(toOther),
  });
};

/** What the container's own tags tell of the file and of its making. */
const writingOf = (tags: Map<string, string>) => {
  const told = (name: string) => tags.get(name)?.trim() || undefined;
  const [brand, compatible, writer, encoded] = ["major_brand", "compatible_brands", "encoder", "creation_time"].map(
    told,
  );
  const compatibleBrands = compatible?.match(/.{1,4}/g)?.map((each) => each.trim());
  return { brand, compatibleBrands: compatibleBrands?.slice(0, 50), writer, encoded };
};

/** What a broadcast wave file tells of its making (EBU Tech 3285). ffprobe calls both parts of its time as other files have the whole. */
const broadcastOf = (tags: Map<string, string>, stream: ProbedStream | undefined) => {
  const [date, time] = [tags.get("date"), tags.get("creation_time")];
  const samples = Number(tags.get("time_reference") ?? 0);
  const isTold = stream?.sample_rate && Number.isSafeInteger(samples) && samples > 0;
  return {
    ...(date && time && { encoded: `${date.trim()} ${time.trim()}` }),
    ...(isTold && { sinceMidnight: ratio(samples, stream.sample_rate ?? 1) }),
  };
};

/** Where containers keep timecode: MXF in its packages, QuickTime in a separate track that its video also names. */
const timecodesOf = (format: { tags: Map<string, string>; format_name: string }, streams: readonly ProbedStream[]) => {
  const isMxf = format.format_name.startsWith("mxf");
  // Of several tracks ffprobe may name any beside the file's own tags; the picture's own is the first.
  const found = (isMxf ? [format, ...streams] : [...streams, format]).flatMap((part) => {
    const value = part.tags.get("timecode");
    const kind = !isMxf ? "container" : part === format ? "material_package" : "source_package";
    return value ? [{ kind, value } as const] : [];
  });
  return found.filter(({ kind, value }, at) => found.findIndex((o) => o.kind === kind && o.value === value) === at);
};

type Chapter = z.output<typeof probed>["chapters"][number];

const sectionsOf = (chapters: readonly Chapter[]): Pick<MediaFacts, "sections"> => {
  const sections = chapters.flatMap(({ start_time, end_time, tags: words }) => {
    const [from, to] = [rationalOf(start_time), rationalOf(end_time)];
    return from && to ? [{ from, to, title: words.get("title") }] : [];
  });
  return sections.length > 0 ? { sections } : {};
};

const toOther = (stream: ProbedStream): MediaFacts["others"][number] => ({
  ...common(stream),
  ...kindOf(stream),
  isForced: stream.disposition.forced === 1 || undefined,
  isForDeaf: stream.disposition.hearing_impaired === 1 || undefined,
});

/** Older versions of ffprobe do not know documents of TTML in MP4. */
const kindOf = ({ codec_type: kind = "unknown", codec_tag_string: tag }: ProbedStream) =>
  tag === "stpp" ? { kind: "subtitle", codec: "ttml" } : { kind };

const isVideo = ({ codec_type, width, height }: ProbedStream) =>
  codec_type === "video" && above0(width) !== undefined && above0(height) !== undefined;
const isAudio = ({ codec_type, channels, sample_rate }: ProbedStream) =>
  codec_type === "audio" && above0(channels) !== undefined && above0(sample_rate) !== undefined;

const common = (stream: ProbedStream) => {
  const timeBase = positive(rationalOf(stream.time_base)) ?? ratio(1);
  return {
    index: stream.index,
    id: stream.id && /^(0x)?[0-9a-f]+$/i.test(stream.id) ? Number(stream.id) : undefined,
    codec: stream.codec_name ?? "unknown",
    profile: known(stream.profile),
    timeBase,
    start: ticks(stream.start_pts, timeBase),
    duration: durationOf(stream, timeBase),
    bitRate: above0(stream.bit_rate),
    language: known(stream.tags.get("language")),
    title: stream.tags.get("title"),
    timecode: stream.tags.get("timecode"),
    encoder: stream.tags.get("encoder"),
  };
};

const toVideo = (stream: ProbedStream): MediaFacts["video"][number] => {
  const isTurned = stream.side_data_list.some(({ rotation = 0 }) => Math.abs(rotation) % 180 === 90);
  const { width = 0, height = 0 } = stream;
  const pixelAspect = positive(rationalOf(stream.sample_aspect_ratio));
  return {
    ...common(stream),
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    pixelFormat: known(stream.pix_fmt),
    frameRate: frameRate(stream.r_frame_rate),
    averageFrameRate: frameRate(stream.avg_frame_rate),
    frames: above0(stream.nb_frames),
    pixelAspect: isTurned && pixelAspect ? invert(pixelAspect) : pixelAspect,
    fieldOrder: known(stream.field_order),
    level: above0(stream.level),
    hdr: hdrOf(stream.side_data_list),
    hasBFrames: stream.has_b_frames === undefined ? undefined : stream.has_b_frames > 0,
    colorRange: known(stream.color_range),
    colorSpace: known(stream.color_space),
    colorPrimaries: known(stream.color_primaries),
    colorTransfer: known(stream.color_transfer),
    isCover: stream.disposition.attached_pic === 1 || undefined,
  };
};

// If both orders are reported and differ, Matroska writes the first displayed field before the first stored one.
const displayed = (video: VideoFacts, format: string): VideoFacts => {
  const order = format.startsWith("matroska") ? { tb: "tt", bt: "bb" }[video.fieldOrder ?? ""] : undefined;
  return order ? { ...video, fieldOrder: order } : video;
};

const toAudio = (stream: ProbedStream): MediaFacts["audio"][number] => ({
  ...common(stream),
  channels: stream.channels ?? 0,
  layout: known(stream.channel_layout),
  sampleRate: stream.sample_rate ?? 0,
  bitsPerSample: above0(stream.bits_per_raw_sample) ?? above0(stream.bits_per_sample),
  priming: above0(stream.initial_padding),
});

// Matroska keeps a stream's duration in a tag, as 00:00:10.041000000.
const durationOf = ({ duration_ts, duration, tags }: ProbedStream, timeBase: Rational): Rational | undefined => {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):(\d+(?:\.\d{1,6})?)\d*$/.exec(tags.get("duration") ?? "") ?? [];
  const tagged = rationalOf(seconds);
  const whole = Number(hours) * 3600 + Number(minutes) * 60;
  const clock = tagged && ratio(tagged.num + whole * tagged.den, tagged.den);
  return positive(ticks(duration_ts, timeBase)) ?? positive(rationalOf(duration)) ?? positive(clock);
};

const ticks = (count: number | undefined, timeBase: Rational) =>
  count !== undefined && Number.isSafeInteger(count * timeBase.num) ? multiply(ratio(count), timeBase) : undefined;

// Numbers too large for exact integers are damage.
const rationalOf = (value: string | undefined) => {
  const found = parseRational(value);
  return found && Number.isSafeInteger(found.num) && Number.isSafeInteger(found.den) ? found : undefined;
};
const positive = (value: Rational | undefined) => (value && value.num > 0 ? value : undefined);
const above0 = (value: number | undefined) => (value !== undefined && value > 0 ? value : undefined);
const known = (value: string | undefined) =>
  value === undefined || ["", "und", "unknown", "unspecified", "reserved"].includes(value) ? undefined : value;

// For containers without a rate, ffprobe reports the time base instead: 90000 frames a second.
const frameRate = (value: string | undefined) => {
  const rate = positive(rationalOf(value));
  return rate && rate.num / rate.den < 1000 ? unrounded(rate) : undefined;
};

// Matroska stores the length of a frame in whole nanoseconds, from which ffprobe guesses: 19001/317 is 60000/1001.
const unrounded = (rate: Rational): Rational => {
  const slowed = ratio(Math.round(toNumber(rate) * 1.001) * 1000, 1001);
  return Math.abs(toNumber(rate) / toNumber(slowed) - 1) < 1e-6 ? slowed : rate;
};
