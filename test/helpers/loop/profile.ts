import type { Profiler } from "node:inspector";
import type { Turn } from "./turns.ts";

/** The coordinator's part of one turn. */
export type Work = {
  /** Milliseconds of processor time of a usual machine. */
  readonly ms: number;
  /** The functions of ours that were at it most often, from the outside in. */
  readonly names: readonly string[];
};

const ours = /\/(coordinator|media|shared)\/(?!.*node_modules)[^?]*\.ts/;
const coordinators = /\/coordinator\/[^?]*\.ts/;

/**
 * How much of a turn was the coordinator's own, by samples of the stack; what tests and the collector did is not. The
 * machine is `slowness` times slower than a usual one.
 */
export const workOf = (profile: Profiler.Profile, turn: Turn, slowness: number): Work => {
  const parents = parentsOf(profile);
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const chains = new Map<string, number>();
  let [all, own] = [0, 0];
  for (const id of samplesWithin(profile, turn)) {
    const stack = stackOf(id, nodes, parents);
    if (stack.some(({ functionName }) => functionName === "(idle)")) continue;
    all += 1;
    const frames = stack.filter(({ url }) => ours.test(url) && !url.includes("/test/"));
    if (!frames.some(({ url }) => coordinators.test(url)) || isAudit(stack)) continue;
    own += 1;
    const chain = frames.map(nameOf).join(" > ");
    chains.set(chain, (chains.get(chain) ?? 0) + 1);
  }
  const ms = all === 0 ? 0 : ((turn.used / 1000) * (own / all)) / slowness;
  const often = [...chains].sort((one, other) => other[1] - one[1])[0]?.[0] ?? "";
  return { ms, names: often.split(" > ") };
};

type Node = Profiler.ProfileNode;
type Frame = Node["callFrame"];

/** A store that compares memory with itself after each batch, for tests. */
const isAudit = (stack: readonly Frame[]): boolean =>
  stack.some(({ url }) => url.includes("/test/helpers/farm/") && url.includes("-store.ts"));

const parentsOf = ({ nodes }: Profiler.Profile): ReadonlyMap<number, number> =>
  new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));

const samplesWithin = function* ({ startTime, samples = [], timeDeltas = [] }: Profiler.Profile, turn: Turn) {
  let at = startTime;
  for (const [nr, id] of samples.entries()) {
    at += timeDeltas[nr] ?? 0;
    if (at >= turn.begun && at <= turn.ended) yield id;
  }
};

/** From the outside in. */
const stackOf = (
  id: number,
  nodes: ReadonlyMap<number, Node>,
  parents: ReadonlyMap<number, number>,
): readonly Frame[] => {
  const frames: Frame[] = [];
  for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
    const node = nodes.get(at);
    if (node) frames.unshift(node.callFrame);
  }
  return frames;
};

const nameOf = ({ functionName, url }: Frame): string =>
  `${functionName || "(unnamed)"} in ${url.replace(/^.*\/(coordinator|media|shared)\//, "$1/").replace(/\?.*$/, "")}`;
