import { add, ratio, subtract, toFraction, toSeconds } from "../../../../../shared/basics/rational.ts";
import type { VideoFacts } from "../../../../../shared/model/asset.ts";
import { capabilityError } from "../../../../../shared/model/failure.ts";
import type { Filter } from "../../../../ffmpeg/filtergraph.ts";
import { constantRate, lateBy } from "../../../../formats/stream-timing.ts";
import type { Timing } from "../../../../virtual-source/virtual-source.ts";
import type { Conflict } from "../../conflicts/conflict.ts";
import type { Container } from "../../containers/container.ts";
import { checkedPid } from "../../containers/transport-stream.ts";
import type { Extras } from "../../filters/extras.ts";
import { videoCodecs } from "../index.ts";
import type { VideoTarget } from "../schema.ts";
import { trackNames } from "../track-names.ts";
import type { VideoPlan } from "../video.ts";
import { encoderFields } from "../video.ts";

/** Codecs without an encoder here in which every picture is a key frame. For others only a list of their frames shows it. */
const foreignIntra = [
  ...["cfhd", "v210", "v410", "r210", "huffyuv", "utvideo", "magicyuv", "hap", "tiff", "dpx", "exr", "bmp", "targa"],
];

export const isAlwaysIntra = (codec: string): boolean =>
  foreignIntra.includes(codec) || videoCodecs.some(({ probed, isIntra }) => isIntra && probed === codec);

export type CopyRequest = {
  readonly video: VideoTarget;
  readonly source: VideoFacts;
  readonly timing: Timing;
  readonly passes: number;
  readonly path: string;
  readonly conflict: Conflict;
  readonly container: Pick<Container, "copying" | "extensions">;
  /** The file that is made says by an edit list what is shown of its stream. */
  readonly hasEditList: boolean;
  readonly extras: Pick<Extras, "warn">;
  /** The cut, where every picture is a key frame: a copy then leaves out the packets outside it. */
  readonly cut?: readonly Filter[];
};

/** Fields that change pictures, which a copy cannot. */
export const reshaping = [
  ...(["width", "height", "frame_rate", "par", "dar", "chroma_format", "interlace_mode", "image_sequence"] as const),
  ...(["color_primaries", "color_trc", "color_matrix", "filters"] as const),
] as const;

/** The source's stream unchanged, or the packets of a part of it. */
export const copiedVideo = (request: CopyRequest): VideoPlan => {
  const { video, source, timing, passes, path, conflict, cut, container } = request;
  const asked = [...reshaping, ...encoderFields].find((field) => field !== "vtag" && video[field] !== undefined);
  if (asked) conflict(`${path}.${asked} cannot be applied to a stream that is copied`);
  if (passes > 1) conflict(`${path}: a stream that is copied has no passes`);
  const late = lateBy(source);
  const isMoved = (cut ?? []).filter(({ name }) => name === "setpts").length > (late ? 1 : 0);
  if (!timing.isWhole && (!cut || isMoved)) {
    const why = isMoved ? "the clock of the source jumps" : `pictures of this ${source.codec} depend on others`;
    throw capabilityError(`${path}.codec copy cannot cut, for ${why}: a part of it needs an encoder`);
  }
  refuseEdits(source, path);
  const { index, codec, width, height } = source;
  const pid = checkedPid(video.pid, `${path}.pid`);
  const shown = timing.isWhole ? shownOf(request) : {};
  const within = timing.isWhole ? shown.packets : cut?.filter(({ name }) => name === "trim").map(packetsWithin)[0];
  const later = late && `+round(${toFraction(late)}/TB)`;
  const inTime = later && `setts=pts='PTS${later}':dts='DTS${later}'`;
  const bsf = [inTime, within, container.copying?.(codec)].filter((each) => each !== undefined).join(",") || undefined;
  return {
    recipe: { track: index, options: { c: "copy", tag: video.vtag, bsf }, metadata: trackNames(video), pid },
    codec,
    passes: 1,
    ...(shown.lasts && { lasts: shown.lasts }),
    ...(shown.isLonger && { isLonger: true }),
    ...countedOf(request),
    expect: { codec, width, height },
  };
};

/** A whole copy has as many pictures as the source, where both count them. */
const countedOf = ({ source, timing, hasEditList }: CopyRequest): Pick<VideoPlan, "rate" | "counts"> => {
  const rate = constantRate(source);
  return rate && source.frames && timing.isWhole && hasEditList ? { rate, counts: "kept" } : {};
};

type Shown = Pick<VideoPlan, "lasts" | "isLonger"> & { readonly packets?: string };

/** How a copy keeps hidden what the source's edit list hides: without the packets, by a list of its own, or not at all. */
const shownOf = (request: CopyRequest): Shown => {
  const { source, path, container, hasEditList, extras } = request;
  const { edits = [], mediaDuration, start = ratio(0), hasBFrames, codec } = source;
  const edit = edits.find(({ mediaTime }) => mediaTime !== undefined);
  if (!mediaDuration || !edit?.mediaTime) return {};
  const lasts = subtract(edit.duration, lateBy(source) ?? ratio(0));
  // Pictures that are shown may need one that is not, but none that is decoded after the last of them.
  const isFree = hasBFrames === false || isAlwaysIntra(codec);
  const packets = `noise=drop='gte(${isFree ? "pts" : "dts"}*tb,${toSeconds(add(start, lasts))})'`;
  if (hasEditList) return isFree ? { packets } : { packets, lasts };
  if (isFree && edit.mediaTime.num === 0) return { packets };
  const lengths = `${toSeconds(edit.duration)} of ${toSeconds(mediaDuration)} s`;
  extras.warn(
    `${path}.codec copy: the source's edit list shows ${lengths}. Such ${container.extensions[0]} files have no edit lists, so pictures that it hides are seen`,
  );
  return { isLonger: true, packets };
};

/** A copy would include everything between the edits. */
export const refuseEdits = ({ edits = [] }: Pick<VideoFacts, "edits">, path: string): void => {
  const shown = edits.filter(({ mediaTime }) => mediaTime !== undefined);
  if (shown.length < 2) return;
  const why = `the source's edit list shows ${shown.length} parts of it`;
  throw capabilityError(`${path}.codec copy cannot keep an edit list: ${why}, which needs an encoder`);
};

/** ffmpeg's own cut of copied streams is a packet off in some containers, so we judge each packet by its stamp. */
const packetsWithin = ({ options: { start, end } = {} }: Filter): string => {
  const outside = [start !== undefined && `lt(pts*tb,${start})`, end !== undefined && `gte(pts*tb,${end})`];
  return `noise=drop='${outside.filter(Boolean).join("+")}'`;
};
