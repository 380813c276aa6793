import { firstRepeated } from "../../../shared/basics/first-repeated.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import type { AudioPlan } from "./audio/plan.ts";
import { canHold } from "./containers/can-hold.ts";
import type { Container } from "./containers/container.ts";
import type { TargetRequest } from "./target-request.ts";
import type { VideoPlan } from "./video/video.ts";

/** Throws TaskError where the container cannot hold the streams: codecs, their number, uncoded formats, pids. */
export const checkContents = (
  container: Container,
  video: VideoPlan | undefined,
  audio: readonly AudioPlan[],
  { target, path }: Pick<TargetRequest, "target" | "path">,
): void => {
  if (!video && audio.length === 0) throw definitionError(`${path} has neither video nor audio`);
  if (container.needsVideo && !video) throw definitionError(`${path} has no video, and ${container.kinds[0]} needs it`);
  if (container.isImages && !video) throw definitionError(`${path} is for images and has no video`);
  refuseForeign(container, video, audio, { target, path });
  refuseSecond(container, (video ? 1 : 0) + audio.length, path);
  refuseSounds(container, audio.length, path);
  refuseUnreadable(container, video, path);
  refuseSamePids([...(video ? [video] : []), ...audio], path);
};

const refuseForeign = (
  container: Container,
  video: VideoPlan | undefined,
  audio: readonly AudioPlan[],
  { target, path }: Pick<TargetRequest, "target" | "path">,
): void => {
  const pictures = video && !canHold(container, "video", video.codec) ? video : undefined;
  const track = pictures ? -1 : audio.findIndex(({ codec }) => !canHold(container, "audio", codec));
  const foreign = pictures ?? audio[track];
  if (!foreign) return;
  const [at, fields] = pictures ? ["video", target.video] : [`audio[${track}]`, target.audio?.[track]];
  const isCopy = foreign.recipe.options.c === "copy";
  const named = fields?.codec === undefined ? "" : ` "${fields.codec}"`;
  const what = isCopy ? `the source's ${foreign.codec}` : foreign.codec;
  throw definitionError(`${path}.${at}.codec${named}: a ${container.extensions[0]} file cannot hold ${what}`);
};

const refuseSecond = ({ isElementary, extensions }: Container, streams: number, path: string): void => {
  if (!isElementary || streams < 2) return;
  throw definitionError(`${path}: a ${extensions[0]} file is one stream, not ${streams}`);
};

/** SMPTE 386M: the channels of D-10 are those of one stream. */
const refuseSounds = ({ kinds }: Container, sounds: number, path: string): void => {
  if (!kinds.includes("mxf_d10") || sounds < 2) return;
  throw definitionError(
    `${path}.audio: mxf_d10 holds one track of up to eight channels, not ${sounds}: give one track with a source for each of its channels`,
  );
};

const refuseUnreadable = ({ rawFormats, extensions }: Container, video: VideoPlan | undefined, path: string): void => {
  const format = video?.recipe.filters?.findLast(({ name }) => name === "format")?.options?.pix_fmts;
  if (!rawFormats || video?.codec !== "rawvideo" || rawFormats.includes(String(format))) return;
  const advice = `nut can, or a chroma_format of ${rawFormats.join(", ")}`;
  throw definitionError(`${path}.video: a ${extensions[0]} file cannot hold raw ${format}; ${advice}`);
};

const refuseSamePids = (streams: readonly (VideoPlan | AudioPlan)[], path: string): void => {
  const pids = streams.flatMap(({ recipe }) => recipe.pid ?? []);
  const twice = firstRepeated(pids);
  if (twice !== undefined) throw definitionError(`${path} gives the pid ${twice} to two streams`);
};
