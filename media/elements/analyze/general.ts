import { defined } from "../../../shared/basics/defined.ts";
import { type Rational, toFraction, toNumber } from "../../../shared/basics/rational.ts";
import { nameOf } from "../../../shared/files/location.ts";
import type { Asset, AudioFacts, MediaFacts, VideoFacts } from "../../../shared/model/asset.ts";
import type { JsonObject } from "../../analyses/analysis.ts";
import { bitDepthOf, chromaOf } from "../../formats/pixel-format.ts";
import { constantRate, mainVideo } from "../../formats/stream-timing.ts";

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

const audioOf = ({ codec, profile, channels, language, ...audio }: AudioFacts): JsonObject =>
  set({
    ...{ codec, profile, channels, channel_layout: audio.layout, sample_rate: audio.sampleRate },
    ...{ sample_size: audio.bitsPerSample, language, bitrate_kb: kilobits(audio.bitRate) },
  });

const seconds = (time: Rational | undefined): number | undefined => time && toNumber(time);
const kilobits = (rate: number | undefined): number | undefined => rate && rate / 1000;

/** Without unknown values. */
const set = (fields: Record<string, string | number | undefined>): JsonObject => defined(fields) as JsonObject; // it has no undefined values any more
