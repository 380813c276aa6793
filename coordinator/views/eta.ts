import { getOrInsert } from "../../shared/basics/get-or-insert.ts";

/**
 * Estimates when work will be done, as a range: from the durations of earlier tasks, running work, and the number of
 * slots. Pure and deterministic: random numbers come from a seed.
 */

/** The data from which a task's duration is estimated. */
export type Effort = {
  readonly kind: string;
  readonly purpose: "facts" | "work";
  readonly codec: string | null;
  /** Seconds of media. */
  readonly seconds: number | null;
  /** The total of all its pictures. */
  readonly pixels: number | null;
};
export type Sample = Effort & { readonly wallMs: number };

/** A log-normally distributed time; `doubt` is the uncertainty of its median. */
export type Guess = {
  readonly likely: number;
  readonly spread: number;
  readonly doubt: number;
  readonly group: string;
};

export type Model = { readonly guess: (effort: Effort) => Guess | undefined };

/** With fewer samples there is no estimate. */
const fewest = 2;
const leastSpread = 0.08;

/** Learns from the durations of tasks: first those of the same kind, codec and size, else those of the same kind. */
export const learn = (samples: readonly Sample[]): Model => {
  const groups = new Map<string, number[]>();
  for (const sample of samples) {
    for (const { key, size } of sizesOf(sample)) {
      const known = getOrInsert(groups, key, () => []);
      if (known.length < 200) known.push(Math.max(1, sample.wallMs) / size);
    }
  }
  const found = new Map(
    [...groups].filter(([, list]) => list.length >= fewest).map(([key, list]) => [key, middle(list)]),
  );
  return {
    guess: (effort) => {
      const fit = sizesOf(effort).find(({ key }) => found.has(key));
      const known = fit && found.get(fit.key);
      if (!fit || !known) return undefined;
      return { likely: known.likely * fit.size, spread: known.spread, doubt: known.doubt, group: fit.key };
    },
  };
};

/** Time for one unit of the closest kind of work that a task can be compared by. */
export const costOf = (sample: Sample): { readonly work: string; readonly cost: number } => {
  const [{ key, size }] = sizesOf(sample);
  return { work: key, cost: Math.max(1, sample.wallMs) / size };
};

/** What a task is compared by, closest first: the same encoding per pixel and second, per second, and the same kind. */
const sizesOf = ({ kind, purpose, codec, seconds, pixels }: Effort): [Size, ...Size[]] => {
  const whole = { key: `${kind} ${purpose}`, size: 1 };
  const [closest, ...others] = [
    ...(seconds && pixels && codec ? [{ key: `${kind} ${codec} by pixel`, size: seconds * pixels }] : []),
    ...(seconds && codec ? [{ key: `${kind} ${codec} by second`, size: seconds }] : []),
    ...(seconds ? [{ key: `${kind} by second`, size: seconds }] : []),
  ];
  return closest ? [closest, ...others, whole] : [whole];
};

type Size = { readonly key: string; readonly size: number };

const middle = (values: readonly number[]): { likely: number; spread: number; doubt: number } => {
  const logs = values.map(Math.log).sort((a, b) => a - b);
  const likely = Math.exp(quantile(logs, 0.5));
  const spread = Math.max(leastSpread, (quantile(logs, 0.84) - quantile(logs, 0.16)) / 2);
  return { likely, spread, doubt: Math.max(0.04, spread / Math.sqrt(values.length)) };
};

/** Of sorted values. */
export const quantile = (sorted: readonly number[], part: number): number => {
  const at = (sorted.length - 1) * part;
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return low + (high - low) * (at - Math.floor(at));
};

/** A running or waiting task: how long it takes from now on. */
export type Open = { readonly jobId: number; readonly left: Guess; readonly isRunning: boolean };
export type Farm = {
  readonly slots: number;
  /** Running ones first, then in the order in which they will start. */
  readonly tasks: readonly Open[];
  /** Per job, the work that follows once all of its tasks have ended, one after the other. */
  readonly later: ReadonlyMap<number, readonly Guess[]>;
  /** Jobs that have no tasks yet, in the order in which they begin: all their work is in `later`. */
  readonly unbegun: readonly number[];
};

/** Milliseconds from now: an 80 % range from `from` to `to`. */
export type Range = { readonly from: number; readonly likely: number; readonly to: number };

/** When each job ends, when those begin that wait, and when all of it ends. */
export type Forecast = {
  readonly jobs: ReadonlyMap<number, Range>;
  readonly starts: ReadonlyMap<number, Range>;
  readonly all: Range | undefined;
};

const rounds = 40;

/** Simulates the queue many times, and returns when each job will begin and end, and when all of them will. */
export const finishes = (farm: Farm): Forecast => {
  if (farm.slots <= 0 || farm.tasks.length + farm.unbegun.length === 0)
    return { jobs: new Map(), starts: new Map(), all: undefined };
  const chance = chanceFrom(7);
  const [starts, ends] = [new Map<number, number[]>(), new Map<number, number[]>()];
  const all: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const played = play(farm, chance);
    for (const [jobId, start] of played.starts) getOrInsert(starts, jobId, () => []).push(start);
    for (const [jobId, end] of played.ends) getOrInsert(ends, jobId, () => []).push(end);
    all.push(Math.max(0, ...played.ends.values()));
  }
  return { jobs: rangesOf(ends), starts: rangesOf(starts), all: rangeOf(all) };
};

const rangesOf = (times: ReadonlyMap<number, readonly number[]>): Map<number, Range> =>
  new Map([...times].map(([jobId, list]) => [jobId, rangeOf(list)]));

type Played = { readonly starts: Map<number, number>; readonly ends: Map<number, number> };

const play = ({ slots, tasks, later, unbegun }: Farm, chance: () => number): Played => {
  /** An error in the estimate of one task applies to all tasks of its group. */
  const errors = new Map<string, number>();
  const draw = ({ likely, spread, doubt, group }: Guess): number => {
    const error = errors.get(group) ?? gauss(chance) * doubt;
    errors.set(group, error);
    return likely * Math.exp(error + gauss(chance) * spread);
  };
  const free: number[] = Array.from({ length: slots }, () => 0);
  const [starts, ends] = [new Map<number, number>(), new Map<number, number>()];
  const take = (jobId: number, isRunning: boolean, length: number) => {
    const at = isRunning ? free.indexOf(0) : free.indexOf(Math.min(...free));
    const slot = at < 0 ? 0 : at;
    const start = isRunning ? 0 : (free[slot] ?? 0);
    free[slot] = Math.max(free[slot] ?? 0, start + length);
    starts.set(jobId, Math.min(starts.get(jobId) ?? start, start));
    ends.set(jobId, Math.max(ends.get(jobId) ?? 0, start + length));
  };
  const laterOf = (jobId: number) => (later.get(jobId) ?? []).reduce((sum, guess) => sum + draw(guess), 0);
  for (const { jobId, left, isRunning } of tasks) take(jobId, isRunning, draw(left));
  for (const jobId of later.keys()) if (ends.has(jobId)) ends.set(jobId, (ends.get(jobId) ?? 0) + laterOf(jobId));
  for (const jobId of unbegun) if (!ends.has(jobId)) take(jobId, false, laterOf(jobId));
  return { starts, ends };
};

/** The places of jobs that wait, from 1 on: by priority and age, those that run something left out. */
export const placesOf = <Job extends { readonly id: number; readonly priority: number }>(
  jobs: readonly Job[],
  waits: (job: Job) => boolean,
  running: ReadonlySet<number>,
): ReadonlyMap<number, number> => {
  const order = jobs
    .filter((job) => waits(job) && !running.has(job.id))
    .sort((a, b) => b.priority - a.priority || a.id - b.id);
  return new Map(order.map(({ id }, at) => [id, at + 1]));
};

/**
 * The samples do not show which node gets a task, or its content: `bench/estimates.ts` measured this much extra
 * variation.
 */
const widening = 1.7;
/** There is always some uncertainty about what will happen meanwhile. */
const [least, most] = [0.88, 1.15];

const rangeOf = (ends: readonly number[]): Range => {
  const sorted = [...ends].sort((a, b) => a - b);
  const likely = Math.max(1, quantile(sorted, 0.5));
  const spread = (part: number) => (quantile(sorted, part) / likely) ** widening;
  return { from: likely * Math.min(spread(0.1), least), likely, to: likely * Math.max(spread(0.9), most) };
};

/** The rest of a running task: from its progress, and from the usual duration of such tasks. */
export const leftOf = (whole: Guess | undefined, elapsedMs: number, percent: number | undefined): Guess | undefined => {
  if (percent !== undefined && percent >= 3 && elapsedMs > 2000) {
    const share = percent / 100;
    return { likely: (elapsedMs * (1 - share)) / share, spread: 0.06 + 0.2 * (1 - share), doubt: 0, group: "" };
  }
  if (!whole) return undefined;
  return { ...whole, likely: Math.max(whole.likely - elapsedMs, whole.likely * 0.1) };
};

/** Numbers from 0 to 1, the same for the same seed. */
const chanceFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 4_294_967_296;
  };
};

const gauss = (chance: () => number): number => Math.sqrt(-2 * Math.log(chance())) * Math.cos(2 * Math.PI * chance());
