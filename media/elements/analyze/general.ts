import type { JsonObject } from "../../analyses/analysis.ts";
import type { Asset, AudioFacts, MediaFacts, VideoFacts } from "../../asset.ts";
import { nameOf } from "../../location.ts";
import { bitDepthOf, chromaOf } from "../../pixel-format.ts";
import { type Rational, toFraction, toNumber } from "../../rational.ts";
import { constantRate, mainVideo } from "../../virtual-source/zero.ts";

/** Container data without decoding: sizes in kB of 1,000 bytes, rates in kb/s, times in seconds. */
export const generalProperties = ({ files }: Asset): JsonObject => {
  const [file] = files;
  const facts = file?.facts;
  if (!facts) return {};
  const video = mainVideo(facts);
  return {
    container: containerOf(facts, file.uri, file.size),
    ...(video && { video: videoOf(video, facts) }),
    audio: facts.audio.map(audioOf),
    subtitle: facts.others
      .filter(({ kind }) => kind === "subtitle")
      .map(({ codec, language }) => set({ codec, language })),
  };
};

const containerOf = (facts: MediaFacts, uri: string, size = facts.size): JsonObject =>
  set({
    kind: facts.format,
    name: nameOf(uri),
    size_kb: size / 1000,
    duration_sec: seconds(facts.duration),
    bitrate_kb: kilobits(facts.bitRate),
    timecode: facts.timecode,
  });

const videoOf = (video: VideoFacts, facts: MediaFacts): JsonObject => {
  const { width, height, codec, profile, level, pixelFormat, pixelAspect, fieldOrder } = video;
  const constant = constantRate(video);
  const isVariable = constant === undefined && video.averageFrameRate !== undefined;
  const rate = isVariable ? video.averageFrameRate : (video.frameRate ?? video.averageFrameRate);
  const par = pixelAspect ? toNumber(pixelAspect) : 1;
  return set({
    ...{ codec, profile, level, width, height, par, dar: (width * par) / height },
    frame_rate: rate && toNumber(rate),
    frame_rate_text: rate && toFraction(rate),
    frame_rate_mode: isVariable ? "variable" : "constant",
    duration_sec: seconds(video.duration ?? facts.duration),
    bitrate_kb: kilobits(video.bitRate),
    chroma_format: chromaOf(pixelFormat)?.replace("CS_", ""),
    bit_depth: bitDepthOf(pixelFormat),
    interlace_mode: fieldOrder === undefined || fieldOrder === "unknown" ? undefined : fieldOrder,
    color_primaries: video.colorPrimaries,
    color_trc: video.colorTransfer,
    color_matrix: video.colorSpace,
    color_range: video.colorRange,
    max_cll: video.hdr?.maxCll,
    max_fall: video.hdr?.maxFall,
    language: video.language,
  });
};

const audioOf = ({
  codec,
  profile,
  channels,
  layout,
  sampleRate,
  bitsPerSample,
  bitRate,
  language,
}: AudioFacts): JsonObject =>
  set({
    ...{
      codec,
      profile,
      channels,
      channel_layout: layout,
      sample_rate: sampleRate,
      sample_size: bitsPerSample,
      language,
    },
    bitrate_kb: kilobits(bitRate),
  });

const seconds = (time: Rational | undefined): number | undefined => time && toNumber(time);
const kilobits = (rate: number | undefined): number | undefined => rate && rate / 1000;

/** Without unknown values. */
const set = (fields: Record<string, string | number | undefined>): JsonObject =>
  Object.fromEntries(Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
