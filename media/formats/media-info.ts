import { defined } from "../../shared/basics/defined.ts";
import { multiply, type Rational, ratio, ticksOf, toFraction, toNumber } from "../../shared/basics/rational.ts";
import { mediaKindOf } from "../../shared/files/media-kinds.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../shared/model/asset.ts";
import { channelsOf } from "./channel-layout.ts";
import { isTopFirst } from "./field-order.ts";
import { bitDepthOf, chromaOf, colorSpaceOf } from "./pixel-format.ts";
import { constantRate, mainVideo } from "./stream-timing.ts";

/**
 * A file's media in the form of a result: one entry for the asset, then one for each track. Seconds and ticks (otb).
 */
export type MediaInfo = Readonly<Record<string, unknown>> & { readonly stream_type: "ASSET" | "VIDEO" | "AUDIO" };

type File = { readonly url: string /** Milliseconds since 1970. */; readonly modified?: number };

/** The fields of a file's media that API clients read. Unknown ones are omitted. */
export const buildMediaInfo = (facts: MediaFacts, file: File): MediaInfo[] => {
  const videos = facts.video.filter(({ isCover }) => !isCover);
  return [
    assetInfo(facts, file),
    ...videos.map((video, sub) => videoInfo(video, sub, facts)),
    ...facts.audio.map((audio, sub) => audioInfo(audio, sub)),
  ].map(defined);
};

const assetInfo = (facts: MediaFacts, { url, modified }: File): MediaInfo => ({
  stream_type: "ASSET",
  ...lengths(facts),
  bit_per_sec: facts.bitRate,
  stream_size: facts.size,
  ASSET: defined({
    url,
    format: formatName(facts.format),
    total_size: facts.size,
    content_type: mediaKindOf(url).type,
    modified,
    format_profile: facts.brand === undefined ? undefined : (brands[facts.brand] ?? facts.brand),
    format_compatibility: facts.compatibleBrands?.join("/"),
    creator: facts.writer,
    encoded_date: facts.encoded,
    is_streamable: facts.isStreamable,
    probe_style: "deep",
  }),
});

const videoInfo = (video: VideoFacts, sub: number, facts: MediaFacts): MediaInfo => {
  const rate = constantRate(video) ?? video.averageFrameRate ?? video.frameRate;
  return {
    stream_type: "VIDEO",
    ...trackInfo(video, sub),
    ...rated(rate),
    // Pictures that are sent before they are shown begin earlier by a time that no container tells.
    ...(video.hasBFrames === false && firstSent(video)),
    frames: video.frames,
    codec_profile: profileOf(video),
    VIDEO: defined(pictureInfo(video, rate, facts)),
  };
};

const pictureInfo = (video: VideoFacts, rate: Rational | undefined, facts: MediaFacts) => {
  const { width, height, pixelFormat, pixelAspect = ratio(1) } = video;
  const bits = bitDepthOf(pixelFormat);
  const pixels = Math.max(0, width) * Math.max(0, height);
  const perPixel = video.bitRate && rate && pixels > 0 && video.bitRate / toNumber(rate) / pixels;
  return {
    width,
    height,
    clean_aperture_width: width,
    clean_aperture_height: height,
    format: formats[video.codec],
    bit_resolution: bits,
    bits_per_pixel: bits,
    encoded_bits_per_pixel: perPixel ? rounded(perPixel, 3) : undefined,
    chroma_subsampling: chromaOf(pixelFormat),
    color_space: colorSpaceOf(pixelFormat),
    color_range: ranges[video.colorRange ?? ""],
    framerate_mode: constantRate(video) ? "CONSTANT" : "VARIABLE",
    interlace_mode: interlaceMode(video.fieldOrder),
    // Clients read a whole number; the exact one is beside it.
    pixel_ar: Math.max(1, Math.round(toNumber(pixelAspect))),
    pixel_ar_exact: toFraction(pixelAspect),
    display_ar: pixels > 0 ? rounded(toNumber(multiply(ratio(width, height), pixelAspect)), 6) : undefined,
    has_bframes: video.hasBFrames,
    timecode: video.timecode ?? (video === mainVideo(facts) ? facts.timecode : undefined),
  };
};

const audioInfo = (audio: AudioFacts, sub: number): MediaInfo => {
  const designators = channelsOf(audio);
  return {
    stream_type: "AUDIO",
    ...trackInfo(audio, sub),
    ...rated(audio.sampleRate > 0 ? ratio(audio.sampleRate) : undefined),
    ...firstSent(audio),
    codec_profile: audio.profile,
    AUDIO: defined({
      nr_channels: audio.channels,
      channel_order: designators?.join(" "),
      designators,
      bit_per_sample: audio.bitsPerSample,
      language: audio.language,
    }),
  };
};

const trackInfo = (stream: VideoFacts | AudioFacts, sub: number) => ({
  id: stream.id ?? stream.index,
  index: stream.index,
  sub_index: sub,
  codec: stream.codec,
  bit_per_sec: stream.bitRate,
  bitrate_mode: bitrateModeOf(stream.codec),
  encoder: stream.encoder,
  title: stream.title,
  stream_size: sizeOf(stream),
  delay_ms: stream.start && Math.round(toNumber(stream.start) * 1000),
  ...lengths(stream),
});

/** Bytes of the track's packets. */
const sizeOf = ({ bitRate, duration }: VideoFacts | AudioFacts): number | undefined =>
  bitRate === undefined || !duration ? undefined : Math.round((bitRate * toNumber(duration)) / 8);

/** Brands of MP4 by the names that they are known by. */
const brands: Readonly<Record<string, string>> = {
  ...{ qt: "QuickTime", isom: "Base Media", mp41: "Base Media / Version 1", mp42: "Base Media / Version 2" },
};

const lengths = ({ start, duration }: { readonly start?: Rational; readonly duration?: Rational }) => ({
  duration: duration && toNumber(duration),
  duration_otb: duration && ticksOf(duration),
  first_pts: start && toNumber(start),
  first_pts_otb: start && ticksOf(start),
});

const firstSent = ({ start }: { readonly start?: Rational }) => ({
  first_dts: start && toNumber(start),
  first_dts_otb: start && ticksOf(start),
});

/** Codecs whose frames are all of one size, and those whose frames never are; others may be either. */
const constant = /^(pcm_\w+|ac3|eac3|mp2|dvvideo|dnxhd|rawvideo|v210|s302m|adpcm_\w+|gsm)$/;
const varying = /^(flac|alac|vorbis|prores|jpeg2000|mjpeg|png|tiff|ffv1|huffyuv|truehd|qtrle|gif|webp)$/;

const bitrateModeOf = (codec: string): "CBR" | "VBR" | undefined => {
  if (constant.test(codec)) return "CBR";
  return varying.test(codec) ? "VBR" : undefined;
};

const rated = (rate: Rational | undefined) => ({
  frame_rate: rate && toNumber(rate),
  frame_duration_otb: rate && ticksOf(ratio(rate.den, rate.num)),
});

/** Codecs that are better known by the name of their standard. */
const formats: Readonly<Record<string, string>> = {
  h264: "AVC",
  hevc: "HEVC",
  mpeg2video: "MPEG Video",
  mpeg1video: "MPEG Video",
  mpeg4: "MPEG-4 Visual",
  prores: "ProRes",
  dnxhd: "VC-3",
  av1: "AV1",
  vp9: "VP9",
  vp8: "VP8",
  jpeg2000: "JPEG 2000",
  rawvideo: "RAW",
};

const ranges: Readonly<Record<string, string>> = { tv: "Limited", pc: "Full" };

const interlaceMode = (order: string | undefined) => {
  if (order === undefined || order === "progressive") return "PROGRESSIVE";
  return isTopFirst(order) ? "TFF" : "BFF";
};

// In the usual notation: High@L4.1.
const profileOf = ({ codec, profile, level }: VideoFacts): string | undefined => {
  if (!profile || level === undefined) return profile;
  const number = codec === "h264" ? level / 10 : codec === "hevc" ? level / 30 : undefined;
  return number === undefined ? profile : `${profile}@L${number}`;
};

// ffprobe lists all names of a family; the first one in common use identifies it.
const formatName = (names: string): string => (names.startsWith("mov,mp4") ? "mp4" : (names.split(",")[0] ?? names));

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
