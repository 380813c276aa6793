import { capabilityError } from "../../../../shared/model/failure.ts";
import type { Chain, Filter } from "../../../ffmpeg/filtergraph.ts";
import { type OpenGraph, openSideInputs } from "../../../ffmpeg/side-inputs.ts";
import type { SourceTrack, VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { StreamRecipe } from "../recipe.ts";
import { cascadeBranches, rootsOf } from "./cascade.ts";

/** The label that a stream of a target leaves the graph by: `v0`, `a0_1`. */
export const videoLabel = (target: number): string => `v${target}`;
export const audioLabel = (target: number, track: number): string => `a${target}_${track}`;

type Stream = Pick<StreamRecipe, "track" | "filters" | "made">;

/** Streams that leave the graph together. */
export type Streams = { readonly video?: Stream | undefined; readonly audio: readonly Stream[] };

type Use = { readonly label: string; readonly track: number; readonly filters: readonly Filter[] };

/** Every filtered stream of the targets in one graph: each track of the source is decoded once and split. */
export const buildGraph = (source: VirtualSource, targets: readonly Streams[]): Chain[] => {
  const uses = targets.flatMap(usesOf);
  const tracks = [...new Set(uses.map(({ track }) => track))];
  return tracks.flatMap((index) =>
    chainsOf(
      trackOf(source, index),
      uses.filter(({ track }) => track === index),
    ),
  );
};

/** The same with the files that filters show beside the source, which are inputs after those of the source. */
export const openGraphOf = (source: VirtualSource, targets: readonly Streams[]): OpenGraph =>
  openSideInputs(buildGraph(source, targets), source.inputs.length);

/** How ffmpeg names the stream that a track is: `0:1`. */
export const streamOf = (source: VirtualSource, track: number): string => {
  const { from, before, filters } = trackOf(source, track);
  const [stream, second] = from;
  // Cuts, time stamps, tags and orders of channels that are only for decoded streams: the muxer does its own.
  const decoded = /^(a?trim|fps|a?setpts|channelmap|setparams)$/;
  const isPlain = before.length === 0 && filters.every(({ name }) => decoded.test(name));
  if (stream !== undefined && !second && isPlain) return stream;
  throw capabilityError("a track that is made of several streams, or of a part of one, cannot be copied");
};

const trackOf = ({ tracks }: VirtualSource, index: number): SourceTrack => {
  const track = tracks.find((each) => each.index === index);
  if (track) return track;
  throw new Error(`a recipe names track ${index}, which its source does not have`);
};

const usesOf = ({ video, audio }: Streams, target: number): Use[] => [
  ...(video ? use(videoLabel(target), video) : []),
  ...audio.flatMap((recipe, track) => use(audioLabel(target, track), recipe)),
];

const use = (label: string, { track, filters }: Stream): Use[] => (filters ? [{ label, track, filters }] : []);

const chainsOf = ({ before, ...track }: SourceTrack, uses: readonly Use[]): Chain[] => [
  ...before,
  ...branchesOf(track, uses),
];

const branchesOf = ({ from, filters }: Omit<SourceTrack, "before">, uses: readonly Use[]): Chain[] => {
  const [only, ...more] = uses;
  if (only && more.length === 0) return [{ from, filters: [...filters, ...only.filters], to: [only.label] }];
  // Filters that all branches begin with run once.
  const shared = sharedStart(uses.map(({ filters }) => filters));
  const branches = uses.map((each) => ({ label: each.label, filters: orNull(each, shared) }));
  const roots = rootsOf(branches);
  const split = { name: only?.label.startsWith("v") ? "split" : "asplit", options: { outputs: roots.length } };
  const start = [...filters, ...(only?.filters ?? []).slice(0, shared), ...(roots.length > 1 ? [split] : [])];
  const before = start.length > 0 ? start : [{ name: "null" }];
  return [{ from, filters: before, to: roots.map(({ label }) => inner(label)) }, ...cascadeBranches(branches, inner)];
};

const inner = (label: string) => `${label}_in`;

const sharedStart = (lists: readonly (readonly Filter[])[]): number => {
  const [first = []] = lists;
  const differs = first.findIndex((filter, at) =>
    lists.some((list) => JSON.stringify(list[at]) !== JSON.stringify(filter)),
  );
  const shared = differs === -1 ? first.length : differs;
  return lists.every((list) => list.length === shared) ? shared : settledStart(first.slice(0, shared));
};

// What follows a converter settles its output. Before a split one branch would settle it for all: six
// channels would be mixed down because another branch has two.
const settledStart = (filters: readonly Filter[]): number => {
  const pinned = filters.findLastIndex(({ name }) => /^a?format$/.test(name)) + 1;
  const open = filters.findIndex(({ name }, at) => at >= pinned && /^(aresample|z?scale)$/.test(name));
  return open === -1 ? filters.length : open;
};

const orNull = ({ filters, label }: Use, shared: number): readonly Filter[] => {
  const own = filters.slice(shared);
  return own.length > 0 ? own : [{ name: label.startsWith("v") ? "null" : "anull" }];
};
