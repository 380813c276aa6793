import { toNumber } from "../../../../shared/basics/rational.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { languageFor } from "../../../formats/language.ts";
import { mainVideo } from "../../../formats/stream-timing.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { AudioPlan } from "../audio/plan.ts";
import { conflictRule } from "../conflicts/conflict.ts";
import type { Container } from "../containers/container.ts";
import { boxesOf } from "../containers/options/boxes.ts";
import { tagsOf } from "../containers/options/tags.ts";
import { discMuxer } from "../containers/program-stream.ts";
import { usualContainer } from "../containers/schema.ts";
import { defaultSegment } from "../containers/segmented.ts";
import type { Extras } from "../filters/extras.ts";
import type { PlannedText, StreamRecipe } from "../recipe.ts";
import type { Target } from "../target-schema.ts";
import { startTimecode } from "../timecode.ts";
import type { VideoPlan } from "../video/video.ts";
import { buildExpectation } from "./expectation.ts";

type Request = {
  readonly target: Target;
  readonly source: VirtualSource;
  readonly extras: Pick<Extras, "warn">;
  readonly path: string;
};

type Streams = {
  readonly video: VideoPlan | undefined;
  readonly audio: readonly AudioPlan[];
  readonly texts: readonly PlannedText[];
};

/** How the streams become a file: muxer, options, tags, and the expected result. */
export const planMuxing = (request: Request, container: Container, { video, audio, texts }: Streams, name: string) => {
  const { target, path } = request;
  const isSequence = isSequenceOf(target, container, video);
  const fields = target.container ?? usualContainer;
  const context = {
    ...{ container: fields, target, name, video: video?.codec, audio: audio.map(({ codec }) => codec) },
    ...{ path: `${path}.container`, conflict: conflictOf(request) },
  };
  const timecode = timecodeOf(request, container, video);
  warnUnheld(request, container);
  return {
    muxer: discMuxer(container, context),
    ...(container.isPackage && { isPackage: true }),
    ...(container.segmentPattern && { segments: container.segmentPattern(context) }),
    video:
      video && cutInto(fields.segment_duration_sec ?? segmentsOf(container), tagged(video, target, container), request),
    audio: audio.map(({ recipe }) => spoken(recipe, container)),
    ...(texts.length > 0 && { planned: texts.map((track) => spoken(track, container)) }),
    options: {
      timecode,
      ...container.options?.(context),
      ...(fields.ts_offset_ms !== undefined && { output_ts_offset: fields.ts_offset_ms / 1000 }),
      ...(container.isImages && imageOptions(target, video, isSequence)),
    },
    ...boxesOf(request, container),
    ...(fields.kind === "dash-vod" && { isIndexed: true as const }),
    ...(fields.use_sdt === false && /^mpegts$/.test(container.muxer) && { nullPid: serviceTable }),
    metadata: tagsOf(target, container.muxer, `${path}.container`),
    passes: video?.passes ?? 1,
    expect: fields.verify
      ? buildExpectation({
          ...{ source: request.source, target, video, audio, container, isSequence, timecode },
          texts: target.subtitle?.some(({ verify }) => !verify) ? 0 : texts.length,
        })
      : undefined,
  };
};

/** ffmpeg writes no labels of sound into MXF. */
const warnUnheld = ({ target, extras, path }: Request, { muxer }: Container): void => {
  if (!/^mxf/.test(muxer)) return;
  for (const field of ["language", "track_name"] as const) {
    const track = target.audio?.findIndex((each) => each.enabled && each[field] !== undefined) ?? -1;
    if (track >= 0) extras.warn(`${path}.audio[${track}].${field} has no effect: tracks in mxf files have none`);
  }
};

const spoken = <T extends Pick<StreamRecipe, "metadata">>(track: T, { muxer }: Container): T => {
  const { language } = track.metadata;
  if (language === undefined) return track;
  return { ...track, metadata: { ...track.metadata, language: languageFor(muxer, language) } };
};

/** The number that service description tables have in every transport stream. */
const serviceTable = 17;

/** One picture is a file of its own name, unless its name has a number. */
export const isSequenceOf = (
  { file_pattern, video }: Target,
  { isImages, isSegments }: Container,
  plan: VideoPlan | undefined,
): boolean => {
  if (isSegments) return true;
  if (!isImages) return false;
  if (/%0?\d*d/.test(file_pattern)) return true;
  return plan?.limit === undefined ? video?.frame_rate !== undefined : plan.limit > 1;
};

const imageOptions = ({ video }: Target, plan: VideoPlan | undefined, isSequence: boolean): Options => ({
  "frames:v": isSequence ? plan?.limit : 1,
  start_number: isSequence ? (video?.image_sequence?.start_number ?? 0) : undefined,
  update: isSequence ? undefined : 1,
});

const conflictOf = ({ target, extras }: Request) => conflictRule(target.parameter_compliance, extras.warn);

const timecodeOf = (
  request: Request,
  { hasTimecode = false, needsDataTracks }: Container,
  video: VideoPlan | undefined,
): string | undefined => {
  const {
    target,
    source: { facts },
    path,
  } = request;
  const source = mainVideo(facts);
  if (!source || !video) return undefined;
  const isEnabled = !needsDataTracks || target.container?.enable_data_tracks === true;
  const conflict = conflictOf(request);
  return startTimecode({ target, facts, source, rate: video.rate, hasTrack: hasTimecode && isEnabled, path, conflict });
};

// Apple's players open HEVC in MP4 and QuickTime only with this tag.
const tagged = ({ recipe, codec }: VideoPlan, { container: requested }: Target, container: Container): StreamRecipe => {
  const isApples = codec === "hevc" && /^(mp4|mov)$/.test(container.muxer);
  const tag = recipe.options.tag ?? (isApples ? (requested?.hevc_codec_id_prefix ?? "hvc1") : undefined);
  return { ...recipe, options: { ...recipe.options, tag } };
};

/** Segments begin at key frames, so there must be one at the start of each segment, beside those that the job forces. */
const cutInto = (seconds: number | undefined, recipe: StreamRecipe, { source }: Request): StreamRecipe => {
  const { force_key_frames: own } = recipe.options;
  if (seconds === undefined || recipe.filters === undefined) return recipe;
  const { duration } = source.timing;
  if (typeof own !== "string")
    return { ...recipe, options: { ...recipe.options, force_key_frames: `expr:gte(t,n_forced*${seconds})` } };
  const count = duration ? Math.min(mostSegments, Math.ceil(toNumber(duration) / seconds)) : 0;
  const starts = Array.from({ length: count }, (_, index) => Math.round(index * seconds * 1e6) / 1e6);
  const times = [...new Set([...own.split(",").map(Number), ...starts])].sort((a, b) => a - b);
  return { ...recipe, options: { ...recipe.options, force_key_frames: times.join(",") } };
};

/** More times would not fit into one argument. */
const mostSegments = 10_000;

const segmentsOf = ({ isPackage, isSegments }: Container): number | undefined =>
  isPackage || isSegments ? defaultSegment : undefined;
