import { type Rational, toNumber } from "../../../shared/basics/rational.ts";
import type { AudioFacts, VideoFacts } from "../../../shared/model/asset.ts";
import { capabilityError } from "../../../shared/model/failure.ts";
import {
  type Analysis,
  type JsonObject,
  pieceSeconds,
  type ResponseVersion,
  type StreamInfo,
} from "../../analyses/analysis.ts";
import { audioAnalyses, comparisons, videoAnalyses } from "../../analyses/index.ts";
import { measuredFormat } from "../../analyses/measured-format.ts";
import type { Filter } from "../../ffmpeg/filtergraph.ts";
import type { AnalysisOptions } from "../../results/analysis.ts";

/** The measurements of one branch of the graph: filters that end in a notes file, and how to read that file. */
export type Branch = {
  /** The id of its result and of its notes file. */
  readonly id: string;
  readonly media: "video" | "audio";
  /** Index of the virtual source's track. */
  readonly track: number;
  readonly filters: readonly Filter[];
  readonly options: AnalysisOptions;
};

/** The analyses that a payload requests for one stream, by name. */
export type Asked = Readonly<Record<string, unknown>>;

type Wanted = { readonly name: string; readonly settings: JsonObject; readonly analysis: Analysis<unknown> };
type Stream = {
  readonly id: string;
  readonly at: AnalysisOptions["at"];
  readonly info: StreamInfo;
  readonly track: number;
  readonly version: ResponseVersion;
  /** Make the picture one that detectors read. */
  readonly made?: readonly Filter[];
  /** The end of the timeline in seconds, if it is known. */
  readonly until?: number | undefined;
  readonly selected?: number;
};

export const videoBranches = (asked: Asked, video: VideoFacts, version: ResponseVersion): Branch[] => {
  const stream = { id: "video", at: "video", info: infoOfVideo(video), track: video.index, version } as const;
  const { filters: made } = measuredFormat(video);
  return branchesOf("video", wantedOf(asked, videoAnalyses), { ...stream, made });
};

/** `at` is the entry of the payload's list, `selected` the track that it names. */
export type Heard = {
  readonly at: number;
  readonly selected: number;
  readonly version: ResponseVersion;
  readonly duration?: Rational | undefined;
};

export const audioBranches = (
  asked: Asked,
  audio: AudioFacts,
  { at, selected, version, duration }: Heard,
): Branch[] => {
  const until = duration && toNumber(duration);
  const told = { until, ...(selected !== at && { selected }) };
  const stream = { id: `audio_${at}`, at, info: infoOfAudio(audio), track: audio.index, version, ...told };
  return branchesOf("audio", wantedOf(asked, audioAnalyses), stream);
};

/** The enabled analyses of a payload, with their settings. */
const wantedOf = (asked: Asked, table: Readonly<Record<string, Analysis<unknown>>>): Wanted[] =>
  Object.entries(table).flatMap(([name, analysis]) => {
    const settings = enabledAt(asked, name);
    return settings ? [{ name, analysis, settings }] : [];
  });

/** The settings of an analysis, if it is enabled. */
export const enabledAt = (asked: Asked, name: string): JsonObject | undefined => {
  const settings = asked[name];
  if (typeof settings !== "object" || settings === null || !("enabled" in settings) || !settings.enabled)
    return undefined;
  return JSON.parse(JSON.stringify(settings)) as JsonObject; // the schema allows only JSON
};

const branchesOf = (media: Branch["media"], wanted: readonly Wanted[], stream: Stream): Branch[] => {
  const together = wanted.filter(({ analysis }) => !analysis.isApart);
  const apart = wanted.filter(({ analysis }) => analysis.isApart);
  return [
    ...(together.length > 0 ? [branchOf(media, together, stream, stream.id)] : []),
    ...apart.map((each) => branchOf(media, [each], stream, `${stream.id}_${each.name}`)),
  ];
};

const branchOf = (
  media: Branch["media"],
  wanted: readonly Wanted[],
  { at, info, track, version, made = [], until, selected }: Stream,
  id: string,
): Branch => {
  const measuring = wanted.flatMap(({ analysis, settings }) => analysis.filters(settings, info));
  const first = media === "audio" ? [evenFrames(info), everyFrame(media)] : [...made, everyFrame(media)];
  const filters = [...first, ...withoutRepeats(measuring), notesTo(media, id)];
  return {
    ...{ id, media, track, filters },
    options: {
      ...{ at, version, info, analyses: wanted.map(({ name, settings }) => ({ name, settings })) },
      ...{ until, track: selected },
    },
  };
};

const evenFrames = ({ rate }: StreamInfo): Filter => ({
  name: "asetnsamples",
  options: { n: Math.max(1, Math.round(rate * pieceSeconds)), p: 0 },
});

/** Otherwise frames without any notes would not be written, and the end of the stream would be unknown. */
const everyFrame = (media: Branch["media"]): Filter => ({
  name: media === "video" ? "metadata" : "ametadata",
  options: { mode: "add", key: "mediafarm.frame", value: 1 },
});

/** Filters that several analyses share appear once. */
const withoutRepeats = (filters: readonly Filter[]): Filter[] => {
  const known = new Map(filters.map((filter) => [JSON.stringify(filter), filter]));
  return [...known.values()];
};

/** Writes the notes of the filters before it for each frame. */
export const notesTo = (media: Branch["media"], id: string): Filter => ({
  name: media === "video" ? "metadata" : "ametadata",
  options: { mode: "print", file: { scratch: id } },
});

const infoOfVideo = (video: VideoFacts) => {
  const { width, height, frameRate, averageFrameRate, colorTransfer } = video;
  const { bitDepth, isFullRange } = measuredFormat(video);
  const rate = frameRate ?? averageFrameRate;
  return {
    ...{ width, height, channels: 0, rate: rate ? toNumber(rate) : 25 },
    ...{ bitDepth, isFullRange },
    transfer: colorTransfer ?? "unknown",
  };
};

const infoOfAudio = ({ channels, sampleRate, bitsPerSample }: AudioFacts): StreamInfo => ({
  ...{ width: 0, height: 0, channels, rate: sampleRate, bitDepth: bitsPerSample ?? 16 },
  ...{ isFullRange: false, transfer: "" },
});

/** Analyses that need no decoded stream, or that need something to compare with. */
const elsewhere = ["compressed_stats", "psnr", "ssim", "vmaf", "settings", "track_selector"];

/** Throws TaskError for enabled analyses that cannot be measured; optional ones are skipped and reported. */
export const refuseUnknown = (asked: Asked, media: Branch["media"], path: string): string[] => {
  const table = media === "video" ? { ...videoAnalyses, ...comparisons } : audioAnalyses;
  return Object.keys(asked).flatMap((name) => {
    const settings = enabledAt(asked, name);
    if (!settings || Object.hasOwn(table, name) || elsewhere.includes(name)) return [];
    const message = `${path}.${name} needs a licensed analyser, which this farm does not have`;
    if (settings.is_optional === true) return [`${message}: left out, because it is optional`];
    throw capabilityError(message);
  });
};
