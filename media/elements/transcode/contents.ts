import { TaskError } from "../../causes.ts";
import { firstRepeated } from "../../repeated.ts";
import type { AudioPlan } from "./audio/plan.ts";
import type { Container } from "./containers/container.ts";
import type { VideoPlan } from "./video/plan.ts";

/** Throws TaskError where the container cannot hold the streams: codecs, their number, uncoded formats, pids. */
export const checkContents = (
  container: Container,
  video: VideoPlan | undefined,
  audio: readonly AudioPlan[],
  path: string,
): void => {
  if (!video && audio.length === 0) throw new TaskError("definition", `${path} has neither video nor audio`);
  if (container.needsVideo && !video)
    throw new TaskError("definition", `${path} has no video, and ${container.kinds[0]} needs it`);
  if (container.isImages && !video) throw new TaskError("definition", `${path} is for images and has no video`);
  const foreign =
    video && !container.video.test(video.codec)
      ? video.codec
      : audio.find(({ codec }) => !container.audio.test(codec))?.codec;
  if (foreign) throw new TaskError("definition", `${path}: a ${container.extensions[0]} file cannot hold ${foreign}`);
  refuseSecond(container, (video ? 1 : 0) + audio.length, path);
  refuseUnreadable(container, video, path);
  refuseSamePids([...(video ? [video] : []), ...audio], path);
};

const refuseSecond = ({ isElementary, extensions }: Container, streams: number, path: string): void => {
  if (!isElementary || streams < 2) return;
  throw new TaskError("definition", `${path}: a ${extensions[0]} file is one stream, not ${streams}`);
};

const refuseUnreadable = ({ rawFormats, extensions }: Container, video: VideoPlan | undefined, path: string): void => {
  const format = video?.recipe.filters?.findLast(({ name }) => name === "format")?.options?.pix_fmts;
  if (!rawFormats || video?.codec !== "rawvideo" || rawFormats.includes(String(format))) return;
  const advice = `nut can, or a chroma_format of ${rawFormats.join(", ")}`;
  throw new TaskError("definition", `${path}.video: a ${extensions[0]} file cannot hold raw ${format}; ${advice}`);
};

const refuseSamePids = (streams: readonly (VideoPlan | AudioPlan)[], path: string): void => {
  const pids = streams.flatMap(({ recipe }) => recipe.pid ?? []);
  const twice = firstRepeated(pids);
  if (twice !== undefined) throw new TaskError("definition", `${path} gives the pid ${twice} to two streams`);
};
