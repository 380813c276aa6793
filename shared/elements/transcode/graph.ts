import type { Chain, Filter } from "../../ffmpeg/filtergraph.ts";
import type { StreamRecipe, TargetRecipe } from "./recipe.ts";

/** The label that a stream of a target leaves the graph by: `v0`, `a0_1`. */
export const videoLabel = (target: number): string => `v${target}`;
export const audioLabel = (target: number, track: number): string => `a${target}_${track}`;

type Use = { readonly label: string; readonly stream: number; readonly filters: readonly Filter[] };

/** Every filtered stream of the targets in one graph: each stream of the source is decoded once and split. */
export const graphOf = (targets: readonly TargetRecipe[]): Chain[] => {
  const uses = targets.flatMap(usesOf);
  const streams = [...new Set(uses.map(({ stream }) => stream))];
  return streams.flatMap((stream) =>
    chainsOf(
      stream,
      uses.filter((use) => use.stream === stream),
    ),
  );
};

const usesOf = ({ video, audio }: TargetRecipe, target: number): Use[] => [
  ...(video ? use(videoLabel(target), video) : []),
  ...audio.flatMap((recipe, track) => use(audioLabel(target, track), recipe)),
];

const use = (label: string, { stream, filters }: StreamRecipe): Use[] => (filters ? [{ label, stream, filters }] : []);

const chainsOf = (stream: number, uses: readonly Use[]): Chain[] => {
  const from = [`0:${stream}`];
  const [only, ...more] = uses;
  if (only && more.length === 0) return [{ from, filters: only.filters, to: [only.label] }];
  // Filters that all of them begin with, the cut above all, are done once.
  const shared = sharedStart(uses.map(({ filters }) => filters));
  const split = { name: only?.label.startsWith("v") ? "split" : "asplit", options: { outputs: uses.length } };
  return [
    {
      from,
      filters: [...uses.flatMap(({ filters }) => filters.slice(0, shared)).slice(0, shared), split],
      to: uses.map(inner),
    },
    ...uses.map((each) => ({ from: [inner(each)], filters: orNull(each, shared), to: [each.label] })),
  ];
};

const inner = ({ label }: Use) => `${label}_in`;

const sharedStart = (lists: readonly (readonly Filter[])[]): number => {
  const [first = []] = lists;
  const differs = first.findIndex((filter, at) =>
    lists.some((list) => JSON.stringify(list[at]) !== JSON.stringify(filter)),
  );
  return differs === -1 ? first.length : differs;
};

const orNull = ({ filters, label }: Use, shared: number): readonly Filter[] => {
  const own = filters.slice(shared);
  return own.length > 0 ? own : [{ name: label.startsWith("v") ? "null" : "anull" }];
};
