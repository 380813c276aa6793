import { choose } from "../coordinator/schedule/choose.ts";
import { countFree } from "../coordinator/schedule/fit.ts";
import type { NodeFacts, Offer } from "../coordinator/schedule/node-facts.ts";
import type { OpenTask } from "../coordinator/schedule/open-task.ts";
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
    const found = (leg: string, share: number) => results.map((result) => quantile(result[leg]?.ms ?? [], share));
    const p99 = (leg: string) => found(leg, 0.99);
    for (const leg of Object.keys(results[0] ?? {})) {
      const [p50, p999] = [found(leg, 0.5), found(leg, 0.999)].map(microseconds);
      const interrupted = results.reduce((sum, result) => sum + (result[leg]?.interrupted ?? 0), 0);
      const share = ((100 * interrupted) / (times * results.length)).toFixed(1);
      say(`${leg} ready: p50 ${p50} µs, p99 ${microseconds(p99(leg))} µs, p99.9 ${p999} µs; ${share} % interrupted`);
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

type ReadyFarm = {
  readonly index: ReadyIndex;
  tasks: number;
  jobs: number;
  /** The youngest job of each set, and how many of its tasks are still to come. */
  readonly young: { jobId: number; left: number }[];
};

/** Tasks of many jobs; each job's carry one of fifty sets of two tags. */
const readyFarm = (count: number): ReadyFarm => {
  const young = [...Array(tagSets)].map(() => ({ jobId: 0, left: 0 }));
  const farm: ReadyFarm = { index: createReadyIndex(), tasks: 0, jobs: 0, young };
  while (farm.tasks < count) farm.index.add(nextTask(farm, Math.floor(farm.tasks / tasksAJob) % tagSets));
  return farm;
};

const nextTask = (farm: ReadyFarm, set: number): OpenTask => {
  const job = farm.young[set] as ReadyFarm["young"][number]; // one for each set
  if (job.left === 0) Object.assign(job, { jobId: ++farm.jobs, left: tasksAJob });
  job.left -= 1;
  return {
    id: ++farm.tasks,
    jobId: job.jobId,
    name: String(set),
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
    prefixes: new Set(),
    capabilities: new Set(["ffmpeg", "encoder:libx264"]),
    capacity: { slots: 4, cores: 8, memory: 16e9, disk: undefined, gpus: 0 },
  };
  return { node, free: countFree(node, []) };
};

const calm = { full: new Set<string>(), hasOthers: () => false };

/** Milliseconds of each choice that the machine let run without taking the processor away in the middle. */
type Choices = { readonly ms: readonly number[]; readonly interrupted: number };

/** What is taken is gone. Another task of its set comes behind all others, outside of what is measured: the farm stays full. */
const measure = (farm: ReadyFarm, offer: Offer, times: number): Choices => {
  const { index } = farm;
  const ms: number[] = [];
  let interrupted = 0;
  for (let turn = 0; turn < times; turn += 1) {
    const before = process.resourceUsage().involuntaryContextSwitches;
    const begun = performance.now();
    const task = choose(offer, index.sets(), calm);
    if (task) index.take(task);
    const took = performance.now() - begun;
    if (process.resourceUsage().involuntaryContextSwitches === before) ms.push(took);
    else interrupted += 1;
    if (!task) throw new Error("Nothing was chosen");
    index.add(nextTask(farm, Number(task.name)));
    index.forgetJob(task.jobId);
  }
  return { ms, interrupted };
};
