import {
  type Effort,
  finishes,
  type Guess,
  learn,
  leftOf,
  type Open,
  quantile,
  type Sample,
} from "../coordinator/views/eta.ts";
import type { Bench } from "./harness.ts";

/**
 * How good estimates of ends are, over made jobs whose truth is known: tasks of several codecs and sizes take times that
 * scatter, on nodes of different speeds, and the estimate sees only what a coordinator sees.
 */
export const estimates: Bench = {
  name: "estimates",
  run: async ({ isQuick, say }) => {
    const count = isQuick ? 30 : 100;
    const chance = chanceFrom(2026);
    const judged = Array.from({ length: count }, () => judge(chance));
    const known = judged.filter((each) => each !== undefined);
    const missed = known.filter(({ truth, from, to }) => truth < from || truth > to).length / known.length;
    const widths = known.map(({ from, to }) => to / from).sort((a, b) => a - b);
    const unknown = (count - known.length) / count;
    say(`${count} jobs: the truth lies inside of ${Math.round((1 - missed) * 100)} % of the ranges that are told`);
    say(
      `the median range spans a factor of ${quantile(widths, 0.5).toFixed(2)}; ${Math.round(unknown * 100)} % unknown`,
    );
    return [
      { name: "truth outside of the range", reference: "one job in five", ratios: [missed / 0.2], target: 1 },
      { name: "median width of the range", reference: "a factor of 2", ratios: [quantile(widths, 0.5) / 2], target: 1 },
      { name: "ends that are unknown", reference: "one job in ten", ratios: [unknown / 0.1], target: 1 },
    ];
  },
};

type Chance = () => number;

/** Milliseconds that a codec takes for a second of a megapixel, on a node of speed 1. */
const costs: Readonly<Record<string, number>> = { h264: 300, hevc: 1100, prores: 160, dnxhd: 140, av1: 2600 };
const sizes = [0.23, 0.92, 2.07, 8.29] as const;

/** One farm with its history and its queue; its last job is judged. Undefined where nothing was told. */
const judge = (chance: Chance): { truth: number; from: number; to: number } | undefined => {
  const speeds = Array.from({ length: 2 + Math.floor(chance() * 10) }, () => 0.7 + chance() * 0.8);
  const codecs = Object.keys(costs).filter(() => chance() < 0.75);
  const history = Array.from({ length: 5 + Math.floor(chance() * 120) }, (): Sample => {
    const effort = effortOf(chance, codecs);
    return { ...effort, wallMs: takes(effort, speedOf(speeds, chance), chance) };
  });
  const model = learn(history);
  const jobs = 1 + Math.floor(chance() * 6);
  const queue = Array.from({ length: jobs }, (_, jobId) => {
    // A film is cut into equal parts; now and then of a codec that was never seen.
    const shape = effortOf(chance, chance() < 0.1 ? Object.keys(costs) : codecs);
    return Array.from({ length: 1 + Math.floor(chance() * 40) }, () => ({ jobId, effort: shape }));
  }).flat();
  const running = queue.slice(0, speeds.length).map((task, slot) => {
    const whole = takes(task.effort, speeds[slot] ?? 1, chance);
    return { ...task, slot, whole, elapsed: whole * chance() };
  });
  const tasks: Open[] = [];
  for (const { jobId, effort, whole, elapsed } of running) {
    const left = leftOf(model.guess(effort), elapsed, (elapsed / whole) * 100 * (0.95 + chance() * 0.1));
    if (left) tasks.push({ jobId, left, isRunning: true });
  }
  const waiting = queue.slice(speeds.length);
  const guesses = waiting.map(({ effort }) => model.guess(effort));
  if (guesses.some((guess) => guess === undefined)) return undefined;
  for (const [at, { jobId }] of waiting.entries()) {
    tasks.push({ jobId, left: guesses[at] as Guess, isRunning: false }); // none is absent
  }
  const told = finishes({ slots: speeds.length, tasks, later: new Map(), unbegun: [] }).jobs.get(jobs - 1);
  if (!told) return undefined;
  const truth = play(speeds, running, waiting, jobs - 1, chance);
  return { truth, from: told.from, to: told.to };
};

const effortOf = (chance: Chance, codecs: readonly string[]): Effort => ({
  kind: "transcode",
  purpose: "work",
  codec: codecs[Math.floor(chance() * codecs.length)] ?? "h264",
  seconds: 20 + Math.floor(chance() * 200),
  pixels: (sizes[Math.floor(chance() * sizes.length)] ?? 1) * 1_000_000,
});

/** What a task takes in truth: its cost, the node's speed, a start, and content that is easier or harder. */
const takes = ({ codec, seconds, pixels }: Effort, speed: number, chance: Chance): number => {
  const plain = ((costs[codec ?? ""] ?? 300) * (seconds ?? 0) * (pixels ?? 0)) / 1_000_000 / speed;
  return 400 + plain * Math.exp(0.18 * gauss(chance));
};

const speedOf = (speeds: readonly number[], chance: Chance): number =>
  speeds[Math.floor(chance() * speeds.length)] ?? 1;

type Running = { readonly jobId: number; readonly slot: number; readonly whole: number; readonly elapsed: number };

const play = (
  speeds: readonly number[],
  running: readonly Running[],
  waiting: readonly { readonly jobId: number; readonly effort: Effort }[],
  wanted: number,
  chance: Chance,
): number => {
  const free = speeds.map(() => 0);
  let end = 0;
  const note = (jobId: number, at: number) => {
    if (jobId === wanted) end = Math.max(end, at);
  };
  for (const { jobId, slot, whole, elapsed } of running) {
    free[slot] = whole - elapsed;
    note(jobId, whole - elapsed);
  }
  for (const { jobId, effort } of waiting) {
    const slot = free.indexOf(Math.min(...free));
    free[slot] = (free[slot] ?? 0) + takes(effort, speeds[slot] ?? 1, chance);
    note(jobId, free[slot] ?? 0);
  }
  return end;
};

const chanceFrom = (seed: number): Chance => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 4_294_967_296;
  };
};

const gauss = (chance: Chance): number => Math.sqrt(-2 * Math.log(chance())) * Math.cos(2 * Math.PI * chance());
