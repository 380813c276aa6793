import type { OpenTask } from "../coordinator/db/open-tasks.ts";
import { choose, type Offer } from "../coordinator/schedule/choose.ts";
import { freeOf } from "../coordinator/schedule/fit.ts";
import type { NodeFacts } from "../coordinator/schedule/node-facts.ts";
import { createReadyIndex, type ReadyIndex } from "../coordinator/schedule/ready.ts";
import { type Bench, interleave } from "./harness.ts";
import { quantile } from "./statistics.ts";

const tagSets = 50;
const tasksAJob = 20;

/**
 * What one choice costs, taking the task out included, when a million tasks are ready instead of a thousand: for a node
 * that serves all of fifty sets of tags, and for one that serves the last alone. In this process, without a farm.
 */
export const choice: Bench = {
  name: "choice",
  run: async ({ isQuick, pairs, say }) => {
    const [rounds, times, many] = isQuick ? [pairs ?? 3, 2_000, 100_000] : [pairs ?? 9, 20_000, 1_000_000];
    const [small, large] = [readyFarm(1_000), readyFarm(many)];
    const [all, last] = [nodeWith(0), nodeWith(tagSets - 1)];
    for (const farm of [small, large]) for (const node of [all, last]) measure(farm, node, times);
    const results = await interleave(rounds, {
      "all, 1000": async () => measure(small, all, times),
      [`all, ${many}`]: async () => measure(large, all, times),
      "last, 1000": async () => measure(small, last, times),
      [`last, ${many}`]: async () => measure(large, last, times),
    });
    const p99 = (leg: string) => results.map((result) => quantile(result[leg] ?? [], 0.99));
    for (const leg of Object.keys(results[0] ?? {})) {
      const middle = results.map((result) => quantile(result[leg] ?? [], 0.5));
      say(`${leg} ready: p50 ${microseconds(middle)} µs, p99 ${microseconds(p99(leg))} µs`);
    }
    const ratios = (who: string) => p99(`${who}, ${many}`).map((ms, round) => ms / (p99(`${who}, 1000`)[round] ?? 0));
    const reference = "the same with 1,000 ready";
    const size = many.toLocaleString("en");
    return [
      { name: `p99 of a choice, ${size} ready, a node that serves all`, reference, ratios: ratios("all"), target: 1.5 },
      { name: `p99, a node that serves the last set alone`, reference, ratios: ratios("last"), target: 1.5 },
    ];
  },
};

const microseconds = (values: readonly number[]): string => (quantile(values, 0.5) * 1000).toFixed(1);

type ReadyFarm = { readonly index: ReadyIndex; nextId: number };

/** Tasks of many jobs; each job's carry one of fifty sets of two tags. */
const readyFarm = (count: number): ReadyFarm => {
  const farm: ReadyFarm = { index: createReadyIndex(), nextId: 1 };
  while (farm.nextId <= count) farm.index.add(nextTask(farm));
  return farm;
};

const nextTask = (farm: ReadyFarm): OpenTask => {
  const id = farm.nextId++;
  const jobId = Math.ceil(id / tasksAJob);
  const set = jobId % tagSets;
  return {
    id,
    jobId,
    name: "task",
    state: "ready",
    priority: 100,
    tags: [`site-${set % 5}`, `set-${set}`],
    requires: ["ffmpeg", "encoder:libx264"],
    weight: "full",
    demand: {},
    avoids: [],
    readyTime: 0,
  };
};

/** A node that provides the tags of the sets from this one on. */
const nodeWith = (first: number): Offer => {
  const sets = [...Array(tagSets).keys()].slice(first);
  const node: NodeFacts = {
    id: 1,
    tags: new Set(sets.flatMap((set) => [`site-${set % 5}`, `set-${set}`])),
    mandatory: [],
    capabilities: new Set(["ffmpeg", "encoder:libx264"]),
    capacity: { slots: 4, cores: 8, memory: 16e9, disk: undefined, gpus: 0 },
  };
  return { node, free: freeOf(node, []) };
};

const calm = { full: new Set<string>(), hasOthers: () => false };

/** Milliseconds of each choice. A task that was taken comes back, outside of what is measured: the farm stays as it is. */
const measure = ({ index }: ReadyFarm, offer: Offer, times: number): number[] => {
  const found: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const begun = performance.now();
    const task = choose(offer, index.sets(), calm);
    if (task) index.take(task);
    found.push(performance.now() - begun);
    if (!task) throw new Error("Nothing was chosen");
    index.add(task);
  }
  return found;
};
