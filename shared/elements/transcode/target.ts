import { TaskError } from "../../causes.ts";
import type { Options } from "../../ffmpeg/args.ts";
import { folderUri } from "../../location.ts";
import type { VirtualSource } from "../../virtual-source/virtual-source.ts";
import { mainVideo } from "../../virtual-source/zero.ts";
import { type AudioPlan, planAudio } from "./audio/plan.ts";
import { conflictRule } from "./conflict.ts";
import type { Container } from "./containers/container.ts";
import { containerTarget } from "./containers/schema.ts";
import { expectationOf } from "./expectation.ts";
import { containerOfTarget, nameOfTarget } from "./names.ts";
import { notImplemented, refuseNotYet } from "./not-yet.ts";
import type { StreamRecipe, TargetRecipe } from "./recipe.ts";
import type { Target } from "./schema.ts";
import { startTimecode } from "./timecode.ts";
import { planVideo, type VideoPlan } from "./video/plan.ts";

export type TargetRequest = {
  readonly target: Target;
  readonly index: number;
  /** Folder of the element, where it has one. */
  readonly parent: string | undefined;
  readonly source: VirtualSource;
  /** Whether every picture of the source is known to stand for itself. */
  readonly isIntra: boolean;
  /** The file that names are made from. */
  readonly uri: string;
  readonly jobId: number;
  /** Where it stands in the job: `uid.payload.targets[0]`. */
  readonly path: string;
};

/** Everything about one target decided. */
export const planTarget = (request: TargetRequest): TargetRecipe => {
  const { target, path } = request;
  refuseNotYet("target", target, path);
  refuseNotYet("container", target.container, `${path}.container`);
  if (target.container?.mux_warnings === "as_errors") notImplemented(`${path}.container.mux_warnings`, "as_errors");
  const container = containerOfTarget(target, path);
  const video = targetVideo(request);
  const audio = targetAudio(request);
  checkContents(container, video, audio, path);
  return { ...whereItGoes(request, container, video), ...whatItIs(request, container, video, audio) };
};

const targetVideo = ({
  target,
  source: { facts, timing, tracks },
  isIntra,
  path,
}: TargetRequest): VideoPlan | undefined => {
  const { video } = target;
  if (!video?.enabled) return undefined;
  const source = mainVideo(facts);
  if (!source) throw new TaskError("definition", `${path}.video needs video, the source has none`);
  return planVideo({
    video,
    source,
    timing,
    path: `${path}.video`,
    conflict: conflictRule(target.parameter_compliance),
    ...(isIntra && { cut: tracks.find(({ index }) => index === source.index)?.filters }),
    passes: target.nr_of_passes,
    slowFirstPass: target.slow_first_pass,
  });
};

const targetAudio = ({ target, source: { facts, mixes, timing }, path }: TargetRequest): AudioPlan[] =>
  (target.audio ?? []).flatMap((audio, index) => {
    if (!audio.enabled) return [];
    const conflict = conflictRule(target.parameter_compliance);
    const at = `${path}.audio[${index}]`;
    return [planAudio({ audio, tracks: facts.audio, mixes, index, timing, path: at, conflict })];
  });

const checkContents = (container: Container, video: VideoPlan | undefined, audio: AudioPlan[], path: string): void => {
  if (!video && audio.length === 0) throw new TaskError("definition", `${path} has neither video nor audio`);
  if (container.isImages && !video) throw new TaskError("definition", `${path} is for images and has no video`);
  const foreign =
    video && !container.video.test(video.codec)
      ? video.codec
      : audio.find(({ codec }) => !container.audio.test(codec))?.codec;
  if (foreign) throw new TaskError("definition", `${path}: a ${container.extensions[0]} file cannot hold ${foreign}`);
  refuseUnreadable(container, video, path);
};

const refuseUnreadable = ({ rawFormats, extensions }: Container, video: VideoPlan | undefined, path: string): void => {
  const format = video?.recipe.filters?.findLast(({ name }) => name === "format")?.options?.pix_fmts;
  if (!rawFormats || video?.codec !== "rawvideo" || rawFormats.includes(String(format))) return;
  const advice = `nut can, or a chroma_format of ${rawFormats.join(", ")}`;
  throw new TaskError("definition", `${path}.video: a ${extensions[0]} file cannot hold raw ${format}; ${advice}`);
};

const whereItGoes = (request: TargetRequest, container: Container, video: VideoPlan | undefined) => {
  const { target, index, parent, path } = request;
  const isSequence = isSequenceOf(target, container, video);
  return {
    uid: target.uid ?? `target_${index}`,
    folder: folderUri(target.location, parent, `${path}.location`),
    name: nameOfTarget({ ...request, pattern: target.file_pattern, container, isSequence }),
    isSequence,
    existing: target.existing_files,
    temp: tempOf(request),
  };
};

/** Where it is made before it lies beside its target, and what temporary names begin with. */
const tempOf = ({ target, parent, path }: TargetRequest): TargetRecipe["temp"] => {
  const { temp_location: location, temp_file_prefix: prefix } = target;
  if (prefix !== undefined && !isNamePart(prefix)) {
    throw new TaskError(
      "definition",
      `${path}.temp_file_prefix is not a valid name prefix, or is longer than 60 characters: ${prefix}`,
    );
  }
  const folder = location && folderUri(location, parent, `${path}.temp_location`);
  if (folder === undefined && !prefix) return undefined;
  return { ...(folder !== undefined && { folder }), ...(prefix && { prefix }) };
};

const isNamePart = (text: string): boolean => text.length <= 60 && !/[/\\\0]/.test(text);

const whatItIs = (
  request: TargetRequest,
  container: Container,
  video: VideoPlan | undefined,
  audio: readonly AudioPlan[],
) => {
  const { target } = request;
  const isSequence = isSequenceOf(target, container, video);
  const { verify } = containerTarget.parse(target.container ?? {});
  return {
    muxer: container.muxer,
    video: video && tagged(video, target, container),
    audio: audio.map(({ recipe }) => recipe),
    options: {
      ...optionsOf(request, container, video),
      ...(container.isImages && imageOptions(target, video, isSequence)),
    },
    metadata: metadataOf(target),
    passes: video?.twoPasses ? (2 as const) : (1 as const),
    expect: verify
      ? expectationOf({ source: request.source, video, audio, isImages: container.isImages, isSequence })
      : undefined,
  };
};

// One picture is a file of its own name, unless its name has a number.
const isSequenceOf = (
  { file_pattern, video }: Target,
  { isImages }: Container,
  plan: VideoPlan | undefined,
): boolean => {
  if (!isImages) return false;
  if (/%0?\d*d/.test(file_pattern)) return true;
  return plan?.limit === undefined ? video?.frame_rate !== undefined : plan.limit > 1;
};

const imageOptions = ({ video }: Target, plan: VideoPlan | undefined, isSequence: boolean): Options => ({
  "frames:v": isSequence ? plan?.limit : 1,
  start_number: isSequence ? (video?.image_sequence?.start_number ?? 0) : undefined,
  update: isSequence ? undefined : 1,
});

const optionsOf = (request: TargetRequest, container: Container, video: VideoPlan | undefined): Options => {
  const { target, path } = request;
  const { facts } = request.source;
  const source = mainVideo(facts);
  const conflict = conflictRule(target.parameter_compliance);
  const timed = { target, facts, rate: video?.rate, hasTrack: container.hasTimecode, path, conflict };
  return {
    timecode: source && video && startTimecode({ ...timed, source }),
    ...container.options(containerTarget.parse(target.container ?? {}), `${path}.container`),
  };
};

// Apple's players open HEVC in MP4 and QuickTime only by this tag.
const tagged = ({ recipe, codec }: VideoPlan, { container: requested }: Target, container: Container): StreamRecipe => {
  const isApples = codec === "hevc" && /^(mp4|mov)$/.test(container.muxer);
  const tag = recipe.options.tag ?? (isApples ? (requested?.hevc_codec_id_prefix ?? "hvc1") : undefined);
  return { ...recipe, options: { ...recipe.options, tag } };
};

const metadataOf = ({ container }: Target): Record<string, string> => {
  const { title, author, copyright, info_url } = container ?? {};
  const given = Object.entries({ title, artist: author, copyright, info_url });
  return Object.fromEntries(given.filter((pair): pair is [string, string] => Boolean(pair[1])));
};
