import { toNumber } from "../../../shared/basics/rational.ts";
import { folderUri } from "../../../shared/files/location.ts";
import { placeOf } from "../../../shared/files/place.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import type { FormName } from "../../../shared/work/subtitle-forms.ts";
import { mainVideo } from "../../formats/stream-timing.ts";
import { selectedTimecode } from "../../virtual-source/clock-time.ts";
import { followPicture } from "./audio/follow-picture.ts";
import { type AudioPlan, planAudio } from "./audio/plan.ts";
import { withCaptions } from "./captions.ts";
import { isSequenceOf, planMuxing } from "./command/muxing.ts";
import { conflictRule } from "./conflicts/conflict.ts";
import { containerOfTarget } from "./conflicts/container-choice.ts";
import { refuseUnsupported } from "./conflicts/unsupported-fields.ts";
import type { Container } from "./containers/container.ts";
import { hasEditLists } from "./containers/options/boxes.ts";
import { referredOf } from "./containers/options/referred.ts";
import { defaultSegment, patternOf } from "./containers/segmented.ts";
import { hlsSubtitle } from "./containers/texts.ts";
import { checkContents } from "./contents.ts";
import { planEncryption } from "./encryption.ts";
import { layerOf } from "./layer.ts";
import { manifestPartOf } from "./manifests/part.ts";
import { nameOfTarget } from "./names.ts";
import type { PlannedText, TargetRecipe } from "./recipe.ts";
import { placeOfSplices } from "./splices.ts";
import { inFormat } from "./standards/in-format.ts";
import { standardOf } from "./standards/index.ts";
import { usualSubtitle } from "./subtitle-schema.ts";
import { planTextFile, planTextTrack } from "./subtitles/plan.ts";
import type { TargetRequest } from "./target-request.ts";
import type { Target } from "./target-schema.ts";
import { planVideo } from "./video/plan.ts";
import type { VideoPlan } from "./video/video.ts";

/** One target with everything decided; undefined for optional subtitles that the source lacks. */
export const planTarget = (asked: TargetRequest): TargetRecipe | undefined => {
  const { path } = asked;
  refuseUnsupported("target", asked.target, path);
  refuseUnsupported("container", asked.target.container, `${path}.container`);
  const container = containerOfTarget(asked.target, { facts: asked.source.facts, uri: asked.uri }, path);
  const request = inFormat(asked, container);
  const { target } = request;
  if (container.text) return textTarget(request, container, container.text);
  const { video, tracks } = withCaptions(request, container, targetVideo(request, container));
  const audio = targetAudio(request, container, video);
  const texts = [...targetTexts(request, container, video), ...tracks];
  checkContents(container, video, audio, { target, path });
  const place = whereItGoes(request, container, video);
  const muxing = planMuxing(request, container, { video, audio, texts }, place.name);
  const tag = muxing.video?.options.tag;
  const manifest = manifestPartOf(target, container, { video: video && { tag }, audio: audio.length }, path);
  const streams = { video: video ? 1 : 0, audio: audio.length, texts: texts.length };
  const encryption = planEncryption(request, container, place, streams);
  return {
    ...{ ...place, ...muxing, ...splicesIn(request, container, place.name), ...referredOf(request, container, place) },
    ...{ rate: video?.rate, manifest, encryption },
    ...(target.container?.mux_warnings === "as_errors" && { isStrictlyMuxed: true as const }),
  };
};

const splicesIn = ({ target, splices: points, path }: TargetRequest, container: Container, name: string) => {
  const into = placeOfSplices(target, container, name, path);
  const isConstant = into === "stream" && target.container?.muxrate_kb !== undefined;
  return into && points.length > 0 ? { splices: { points, isConstant, into } } : {};
};

const targetVideo = (request: TargetRequest, container: Container): VideoPlan | undefined => {
  const { target, source: made, isIntra, path } = request;
  const { facts, timing, tracks } = made;
  const { video } = target;
  if (!video?.enabled) return undefined;
  const source = mainVideo(facts);
  if (!source) throw definitionError(`${path}.video needs video, the source has none`);
  return planVideo({
    video,
    source,
    timing,
    container,
    hasEditList: hasEditLists(target, container),
    path: `${path}.video`,
    conflict: conflictRule(target.parameter_compliance, request.extras.warn),
    timecode: facts.timecode,
    timecodeOf: (selector) => selectedTimecode(facts, selector),
    extras: request.extras,
    ...(isIntra && { cut: tracks.find(({ index }) => index === source.index)?.filters }),
    standard: standardOf(target, path),
    passes: Math.round(Number(target.nr_of_passes)),
    slowFirstPass: target.slow_first_pass,
  });
};

const targetAudio = (
  request: TargetRequest,
  container: Container,
  video: VideoPlan | undefined,
): readonly AudioPlan[] => {
  const { target, source, extras, path } = request;
  const { facts, mixes, timing } = source;
  const plans = (target.audio ?? []).flatMap((audio, index) => {
    if (!audio.enabled) return [];
    const conflict = conflictRule(target.parameter_compliance, extras.warn);
    const at = `${path}.audio[${index}]`;
    const isStrict = target.parameter_compliance === "strict";
    const shared = { tracks: facts.audio, mixes, timing, container, extras, isStrict };
    return [planAudio({ ...shared, audio, index, path: at, conflict })];
  });
  return container.isInterleavedByPicture ? followPicture(plans, { facts, video, extras, path }) : plans;
};

const targetTexts = (request: TargetRequest, container: Container, video: VideoPlan | undefined): PlannedText[] =>
  (request.target.subtitle ?? []).flatMap((subtitle, index) => {
    const path = `${request.path}.subtitle[${index}]`;
    return planTextTrack({ ...request, subtitle, index, path, video }, container) ?? [];
  });

const textTarget = (request: TargetRequest, container: Container, form: FormName): TargetRecipe | undefined => {
  const { target, path } = request;
  const [subtitle = usualSubtitle, second] = target.subtitle ?? [];
  const foreign = target.video?.enabled ? "video" : target.audio?.some(({ enabled }) => enabled) ? "audio" : undefined;
  if (foreign) throw definitionError(`${path}.${foreign}: a ${form} file holds subtitles only`);
  if (second) throw definitionError(`${path}.subtitle[1]: a ${form} file holds one track of subtitles`);
  planEncryption(request, container, { folder: "", name: "" }, { video: 0, audio: 0, texts: 1 });
  const text = planTextFile({ ...request, subtitle, index: 0, path: `${path}.subtitle[0]` }, form);
  if (!text) return undefined;
  const { kind, segment_duration_sec: seconds, segment_file_pattern: pattern } = target.container ?? {};
  if (seconds !== undefined && form !== "webvtt")
    throw definitionError(`${path}.container.segment_duration_sec: only webvtt is cut into segments`);
  const isCut = seconds !== undefined || kind === "hls_subtitle";
  const file = isCut ? hlsSubtitle : container;
  const place = whereItGoes(isCut ? withPlaylist(request) : request, file, undefined);
  const manifest = manifestPartOf(target, file, { video: undefined, audio: 0 }, path);
  const total = request.source.timing.duration;
  const segments = {
    seconds: seconds ?? defaultSegment,
    pattern: patternOf(pattern, place.name, ".vtt"),
    total: total && toNumber(total),
  };
  return {
    ...place,
    ...{ muxer: form, audio: [], options: {}, metadata: {}, passes: 1, manifest },
    ...(isCut ? { isPackage: true, text: { ...text, segments }, expect: { files: 2 } } : { text }),
  };
};

/** What is cut into segments is a playlist, whatever ending the job gives to its texts. */
const withPlaylist = (request: TargetRequest): TargetRequest => {
  const file_pattern = request.target.file_pattern.replace(/\.(?:web)?vtt$/i, ".m3u8");
  return { ...request, target: { ...request.target, file_pattern } };
};

const whereItGoes = (request: TargetRequest, container: Container, video: VideoPlan | undefined) => {
  const { target, parent, path } = request;
  const isSequence = isSequenceOf(target, container, video);
  const { folder, object } = placeOf(target.location, parent, `${path}.location`);
  return {
    ...{ uid: target.uid, folder, isSequence, existing: target.existing_files, temp: tempOf(request) },
    name: nameOfTarget({ ...request, ...patternsOf(target, container), container, isSequence }),
    object: target.location ? object : request.object,
    layer: layerOf(target),
  };
};

/** A package has its manifest's name. */
const patternsOf = ({ file_pattern, container }: Target, { isPackage }: Container) => ({
  pattern: file_pattern,
  manifest: (isPackage && container?.manifest_file_pattern) || undefined,
});

/** Where it is made before it moves beside its target, and the beginning of temporary names. */
const tempOf = ({ target, parent, path }: TargetRequest): TargetRecipe["temp"] => {
  const { temp_location: location, temp_file_prefix: prefix } = target;
  if (prefix !== undefined && !isNamePart(prefix)) {
    throw definitionError(
      `${path}.temp_file_prefix is not a valid name prefix, or is longer than 60 characters: ${prefix}`,
    );
  }
  const folder = location && folderUri(location, parent, `${path}.temp_location`);
  if (folder === undefined && !prefix) return undefined;
  return { folder, prefix: prefix || undefined };
};

const isNamePart = (text: string): boolean => text.length <= 60 && !/[/\\\0]/.test(text);
