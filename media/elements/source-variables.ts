import { type Rational, ratio, toNumber } from "../../shared/basics/rational.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../shared/model/asset.ts";
import { isHighDynamic } from "../ffmpeg/color.ts";
import { isTopFirst } from "../formats/field-order.ts";
import { constantRate } from "../formats/stream-timing.ts";

/**
 * `source.*` in conditions and overrides. `video` is a list that also has the fields of its first entry, so
 * `source.video.height` equals `source.video[0].height`. Rates are the doubles that the same division gives there.
 */
export const sourceVariables = (facts: MediaFacts): Readonly<Record<string, unknown>> => {
  const videos = facts.video.filter(({ isCover }) => !isCover).map(videoVariables);
  return {
    container: {
      kind: facts.format,
      size_kb: facts.size / 1000,
      bitrate_kb: kilobits(facts.bitRate),
      duration_sec: seconds(facts.duration),
    },
    video: Object.assign(videos, videos[0]),
    audio: facts.audio.map(audioVariables),
    subtitle: facts.others
      .filter(({ kind }) => kind === "subtitle")
      .map(({ codec, language }) => ({ codec, language })),
    timecode: (facts.timecodes ?? []).map(({ kind, value }) => ({ kind, start_value: value })),
  };
};

const videoVariables = (video: VideoFacts) => {
  const { codec, profile, width, height, pixelAspect = ratio(1), fieldOrder } = video;
  const rate = constantRate(video) ?? video.averageFrameRate ?? video.frameRate;
  return {
    codec,
    profile,
    width,
    height,
    level: video.level,
    chroma_format: video.pixelFormat,
    par: toNumber(pixelAspect),
    dar: (width / height) * toNumber(pixelAspect),
    bitrate_kb: kilobits(video.bitRate),
    frame_rate: rate && toNumber(rate),
    duration_sec: seconds(video.duration),
    interlace_mode: interlacing(fieldOrder),
    color_primaries: video.colorPrimaries,
    color_trc: video.colorTransfer,
    color_matrix: video.colorSpace,
    hdr: video.hdr !== undefined || isHighDynamic(video.colorTransfer),
    closed_captions: video.hasCaptions === true,
  };
};

const audioVariables = ({ codec, profile, channels, sampleRate, bitsPerSample, language, ...audio }: AudioFacts) => ({
  codec,
  profile,
  channels,
  language,
  sample_rate: sampleRate,
  sample_size: bitsPerSample,
  bitrate_kb: kilobits(audio.bitRate),
  duration_sec: seconds(audio.duration),
});

const interlacing = (order: string | undefined) => {
  if (order === undefined || order === "progressive") return "progressive";
  return isTopFirst(order) ? "tff" : "bff";
};

const kilobits = (rate: number | undefined) => (rate === undefined ? undefined : rate / 1000);
const seconds = (time: Rational | undefined) => time && toNumber(time);
