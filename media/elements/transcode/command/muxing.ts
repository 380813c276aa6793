import { toNumber } from "../../../../shared/basics/rational.ts";
import { momentsOf, type SplicePoint } from "../../../../shared/work/splice-point.ts";
import type { Options } from "../../../ffmpeg/args.ts";
import { languageFor } from "../../../formats/language.ts";
import type { TimecodeTrack } from "../../../formats/mp4/timecodes.ts";
import { mainVideo } from "../../../formats/stream-timing.ts";
import { ticksPerSecond } from "../../../splices/ticks.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { AudioPlan } from "../audio/plan.ts";
import { conflictRule } from "../conflicts/conflict.ts";
import type { Container, ContainerContext } from "../containers/container.ts";
import { boxesOf } from "../containers/options/boxes.ts";
import { warnOfDispositions, withoutUnasked } from "../containers/options/dispositions.ts";
import { headOf, withRoom } from "../containers/options/light.ts";
import { offsetOptions } from "../containers/options/offset.ts";
import { tagsOf } from "../containers/options/tags.ts";
import { discMuxer } from "../containers/program-stream.ts";
import { usualContainer } from "../containers/schema.ts";
import { defaultSegment } from "../containers/segmented.ts";
import { ownClockOf, paceOf } from "../containers/transport-stream.ts";
import { broadcastTags } from "../containers/wav.ts";
import type { Extras } from "../filters/extras.ts";
import type { PlannedText, StreamRecipe, TargetRecipe } from "../recipe.ts";
import type { Target } from "../target-schema.ts";
import { furtherTimecodes, startTimecode } from "../timecode.ts";
import type { VideoPlan } from "../video/video.ts";
import { buildExpectation } from "./expectation.ts";
import { adaptationSets, finishingOf } from "./finishing.ts";

type Request = {
  readonly target: Target;
  readonly source: VirtualSource;
  readonly extras: Pick<Extras, "warn">;
  readonly splices: readonly SplicePoint[];
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
    ...(container.muxer === "dash" && { sets: adaptationSets(target, audio, video !== undefined) }),
    ...{ path: `${path}.container`, conflict: conflictOf(request) },
  };
  const { timecode, further } = timecodesOf(request, container, video);
  warnOfDispositions(request, container);
  const head = headOf(container, { video, audio });
  warnUnheld(request, container, head.header);
  const { roles, finishing } = finishingOf(target, audio, container);
  return {
    muxer: discMuxer(container, context),
    ...(container.isPackage && { isPackage: true }),
    ...(container.segmentPattern && { segments: container.segmentPattern(context) }),
    video: withRoom(pictureOf(request, container, video, fields.segment_duration_sec), head.light),
    audio: withoutUnasked(
      audio.map(({ recipe }, at) => withRole(spoken(recipe, container), roles[at])),
      container.muxer,
    ),
    ...(texts.length > 0 && {
      planned: withoutUnasked(
        texts.map((track) => spoken(track, container)),
        container.muxer,
      ),
    }),
    options: {
      timecode,
      ...atSplices(container.options?.(context) ?? {}, request),
      ...offsetOptions(request, container),
      ...(container.isImages && imageOptions(target, video, isSequence)),
    },
    ...boxesOf(request, container, { audio, video, further, count: audio.length + texts.length + (video ? 1 : 0) }),
    ...head,
    ...(container.probed === "mpeg" &&
      audio.some(({ codec }) => /^(ac3|dts)$/.test(codec)) && { hasLongFrames: true as const }),
    ...(container.muxer === "mxf" && linesOf(video)),
    ...(finishing && { finishing }),
    ...(video?.codestream && { codestream: video.codestream }),
    ...paced(context, video, container),
    ...(fields.use_sdt === false && /^mpegts$/.test(container.muxer) && { nullPid: serviceTable }),
    ...clockOf(context, container.muxer),
    metadata: { ...tagsOf(target, container.muxer, `${path}.container`), ...timesOf(request, container, audio) },
    passes: video?.passes ?? 1,
    expect: fields.verify
      ? buildExpectation({
          ...{ source: request.source, target, video, audio, container, isSequence, timecode },
          texts: target.subtitle?.some(({ verify }) => !verify) ? 0 : texts.length,
        })
      : undefined,
  };
};

const pictureOf = (
  request: Request,
  container: Container,
  video: VideoPlan | undefined,
  seconds: number | undefined,
): StreamRecipe | undefined => {
  if (!video) return undefined;
  const recipe = cutInto(seconds ?? segmentsOf(container), tagged(video, request.target, container), request);
  return withoutUnasked([recipe], container.muxer)[0];
};

const clockOf = (context: Parameters<typeof ownClockOf>[0], muxer: string): { clock?: TargetRecipe["clock"] } => {
  const pid = muxer === "mpegts" ? ownClockOf(context) : undefined;
  const { muxrate_kb: rate } = context.container;
  return pid === undefined ? {} : { clock: { pid, ...(rate !== undefined && { bitRate: rate * 1000 }) } };
};

/** Broadcast wave files say when their sound begins. */
const timesOf = ({ target, source: { facts } }: Request, { muxer }: Container, [sound]: readonly AudioPlan[]) => {
  const own = facts.audio.find(({ index }) => index === sound?.recipe.track);
  return muxer === "wav" && own ? broadcastTags(target, facts, target.audio?.[0]?.sample_rate ?? own.sampleRate) : {};
};

/** Numbered segments begin at each splice as well. The muxer counts from where the stream begins on its own clock. */
const atSplices = (options: Options, { splices, source }: Request): Options => {
  const { segment_time: seconds, output_ts_offset: offset = 0 } = options;
  const { duration } = source.timing;
  if (splices.length === 0 || typeof seconds !== "number" || !duration) return options;
  const count = Math.min(mostSegments, Math.ceil(toNumber(duration) / seconds));
  const starts = Array.from({ length: count }, (_, index) => index * seconds);
  const times = [...starts, ...momentsOf(splices).map((ticks) => ticks / ticksPerSecond)].filter((time) => time > 0);
  const all = [...new Set(times.map((time) => Math.round((time + Number(offset)) * 1e6) / 1e6))];
  return { ...options, segment_time: undefined, segment_times: all.sort((a, b) => a - b).join(",") };
};

/**
 * The lower field of DV comes first. At 480 lines it is the field that begins with line 23 (SMPTE 383M); ffmpeg writes
 * line 20, by which readers take the other field for the first one.
 */
const linesOf = (video: VideoPlan | undefined): Pick<TargetRecipe, "lines"> =>
  video?.codec === "dvvideo" && video.expect.height === 480 ? { lines: { first: 23, second: 285 } } : {};

/** Pictures of a variable rate have stamps of their own. Texts alone are files without a clock, also beside a stream. */
const paced = (
  context: ContainerContext,
  video: VideoPlan | undefined,
  { muxer, family }: Container,
): Pick<TargetRecipe, "pace"> => {
  const single = /\.m2ts$/i.test(context.name) ? ("timed" as const) : ("stream" as const);
  const many = muxer === "hls" ? ("playlist" as const) : family === "segmented_ts" ? ("segments" as const) : undefined;
  const form = muxer === "mpegts" ? single : many;
  if (!form || (!video && context.audio.length === 0)) return {};
  const isVariable = video?.recipe.options.enc_time_base !== undefined || video?.rate === undefined;
  const picture = video && { rate: video.rate && toNumber(video.rate), isVariable };
  const pace = paceOf(context, picture);
  return pace ? { pace: { ...pace, form } } : {};
};

/** Tracks in MXF have no names; a language goes with the names of their channels. */
const warnUnheld = ({ target, extras, path }: Request, { muxer }: Container, sounds: TargetRecipe["header"]): void => {
  if (!/^mxf/.test(muxer)) return;
  const enabled = (target.audio ?? []).flatMap((sound, index) => (sound.enabled ? [{ sound, index }] : []));
  const isSpoken = (track: number) => sounds?.sounds?.some((each) => each.track === track && each.language);
  for (const field of ["language", "track_name"] as const) {
    const lost = enabled.find(
      ({ sound }, track) => sound[field] !== undefined && !(field === "language" && isSpoken(track)),
    );
    if (lost) extras.warn(`${path}.audio[${lost.index}].${field} has no effect: tracks in mxf files have none`);
  }
};

const spoken = <T extends Pick<StreamRecipe, "metadata">>(track: T, { muxer }: Container): T => {
  const { language } = track.metadata;
  if (language === undefined) return track;
  return { ...track, metadata: { ...track.metadata, language: languageFor(muxer, language) } };
};

/** The muxer of DASH reads the role of a track there. */
const withRole = (track: StreamRecipe, role: string | undefined): StreamRecipe =>
  role === undefined ? track : { ...track, metadata: { ...track.metadata, role } };

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

const timecodesOf = (
  request: Request,
  { muxer, hasTimecode = false, needsDataTracks }: Container,
  video: VideoPlan | undefined,
): { readonly timecode: string | undefined; readonly further: readonly TimecodeTrack[] } => {
  const {
    target,
    source: { facts },
    path,
  } = request;
  const source = mainVideo(facts);
  if (!source || !video) return { timecode: undefined, further: [] };
  const isEnabled = !needsDataTracks || target.container?.enable_data_tracks === true;
  const hasTrack = hasTimecode && isEnabled;
  const asked = { target, facts, source, rate: video.rate, hasTrack, path, conflict: conflictOf(request) };
  return { timecode: startTimecode(asked), further: furtherTimecodes(asked, muxer) };
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
