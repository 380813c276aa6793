import { definitionError } from "../../../../shared/model/failure.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { channelNamesOf, inLayoutOrder, layoutOf } from "../../../ffmpeg/layouts.ts";
import { type Designator, designatorOf } from "../../../formats/channel-designators.ts";
import { channelLabelOf } from "../../../formats/mxf/sound-labels.ts";
import type { Container } from "../containers/container.ts";

type Request = {
  readonly designators: readonly string[];
  /** The channels that the sound has before. */
  readonly channels: number;
  /** Whether the sound is uncompressed, so that the container names its channels. */
  readonly isPcm: boolean;
  /** Whether the codec names them by a mask. */
  readonly hasMask: boolean;
  readonly container: Pick<Container, "channelNames" | "muxer">;
  readonly path: string;
};

/** How a job's names for channels get into a file. The sound of a channel is never mixed. */
export type NamedChannels = {
  readonly filters: readonly Filter[];
  /** In order, as ffmpeg names them, for codecs with layouts of their own; absent: they have no such names. */
  readonly speakers?: readonly string[];
  /** For boxes of the file; in the order of the sound. */
  readonly labels?: readonly Designator[];
  readonly told: readonly string[];
};

/** The 18 channels of WAVE's mask (`dwChannelMask`), which FLAC and AIFF's masks have as well. */
const masked = "FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR".split(" ");

/** Throws TaskError where there are more or fewer names than channels. */
export const namedChannels = (request: Request): NamedChannels => {
  const { designators, channels, isPcm, hasMask, container, path } = request;
  const at = `${path}.channel_designators`;
  if (designators.length !== channels)
    throw definitionError(`${at} names ${designators.length} channels, the track has ${channels}`);
  const labels = designators.map(designatorOf);
  const speakers = speakersOf(labels);
  if (isPcm && container.channelNames === "labels") return { filters: [], labels, told: [] };
  if (isPcm && container.channelNames === "symbols") return symbols(request, labels, at);
  if (hasMask || (isPcm && container.channelNames === "masks")) return masks(request, speakers, at);
  if (isPcm)
    return { filters: [], told: [`${at}: ${container.muxer} names no channels; they are kept in their order`] };
  if (speakers) return { filters: [], speakers, told: [] };
  const hasPositions = labels.every(({ position }) => position !== undefined);
  const hasBoxes = container.muxer === "mov" || (container.muxer === "mp4" && hasPositions);
  if (hasBoxes && channels <= 2) return { filters: [], labels, told: [] };
  return { filters: [], told: [`${at}: this codec has no names for ${designators.join(", ")}; the order is kept`] };
};

/** Channels keep their order; they have names where every one of them has a symbol. */
const symbols = ({ designators, container }: Request, labels: readonly Designator[], at: string): NamedChannels => {
  const nameless = designators.filter((_, index) => !channelLabelOf(labels[index] ?? designatorOf("unknown")));
  if (nameless.length === 0) return { filters: [], labels, told: [] };
  const told = `${at}: ${container.muxer} cannot name ${nameless.join(", ")}; the order is kept without names`;
  return { filters: [], told: [told] };
};

/** The same channels without names: some muxers leave out those that their mask lacks. */
const withoutNames = (channels: number): Filter => {
  const map = Array.from({ length: channels }, (_, index) => index).join("|");
  return { name: "channelmap", options: { map, channel_layout: `${channels}C` } };
};

/** What a file tells nobody about channels with these names, in words; their order stays. */
export const unnamedChannels = (
  names: readonly string[],
  { channelNames, muxer }: Request["container"],
  isPcm: boolean,
): NamedChannels => {
  const usual = isPcm ? channelNamesOf(layoutOf(names.length) ?? "") : names.slice(0, 2);
  const isUsual = names.join(" ") === usual.join(" ");
  const hasMask = isPcm && channelNames === "masks";
  if ((isUsual && !hasMask) || (isPcm && channelNames === "labels")) return { filters: [], told: [] };
  const nameless = hasMask ? names.filter((name) => !masked.includes(name)) : names;
  if (nameless.length === 0) return { filters: [], told: [] };
  const order = `they are in the order ${names.join(", ")}`;
  const told = [`${muxer} has no names for the channels ${nameless.join(", ")}; ${order}`];
  return { filters: hasMask ? [withoutNames(names.length)] : [], told };
};

/** Sound that was mixed to a layout has its order; where the job names the same channels in another one, it gets that. */
export const inOrderOf = (designators: readonly string[], names: readonly string[]): Filter[] => {
  const map = designators.map((designator) => names.indexOf(designatorOf(designator).speaker ?? ""));
  const isSame = map.length === names.length && new Set(map).size === names.length && !map.includes(-1);
  if (!isSame || map.every((from, at) => from === at)) return [];
  return [{ name: "channelmap", options: { map: map.join("|"), channel_layout: `${names.length}C` } }];
};

/** Undefined where one has no name or two have the same one. */
const speakersOf = (labels: readonly Designator[]): readonly string[] | undefined => {
  const names = labels.flatMap(({ speaker }) => speaker ?? []);
  return names.length === labels.length && new Set(names).size === names.length ? names : undefined;
};

/** A mask has an order of its own: the channels follow it with their names. */
const masks = (
  { designators, channels, container }: Request,
  speakers: readonly string[] | undefined,
  at: string,
): NamedChannels => {
  const layout = speakers?.every((name) => masked.includes(name)) ? inLayoutOrder(speakers) : undefined;
  if (!speakers || !layout) {
    const told = `${at}: ${container.muxer} cannot name ${designators.join(", ")}; the order is kept without names`;
    return { filters: [withoutNames(channels)], told: [told] };
  }
  const map = layout.map((name) => speakers.indexOf(name)).join("|");
  const isMoved = layout.some((name, index) => name !== speakers[index]);
  const order = layout.map((name) => designators[speakers.indexOf(name)]).join(", ");
  return {
    filters: [{ name: "channelmap", options: { map, channel_layout: layout.join("+") } }],
    told: isMoved ? [`${at}: ${container.muxer} files hold these channels in the order ${order}`] : [],
  };
};
