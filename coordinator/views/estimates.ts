import { ahead, type Finish, type Turn } from "../../shared/model/forecast.ts";
import { isoTime } from "../iso-time.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { WorkSample } from "../store/recent-attempts.ts";
import type { JobRow } from "../store/rows.ts";
import { type Effort, finishes, learn, type Open, type Range } from "./eta.ts";
import { type Queue, queueOf } from "./queue.ts";

export type Estimates = {
  readonly jobs: ReadonlyMap<number, Finish>;
  /** Of jobs that wait to begin. */
  readonly turns: ReadonlyMap<number, Turn>;
  readonly empty: Finish | null;
  /** Open jobs without a known end. */
  readonly unknown: number;
  /** Elements of begun jobs that wait for others to end; null if there are more than were counted. */
  readonly blocked: number | null;
};

/** The limit of what is examined: more would block the loop. */
const most = { samples: 4000, scheduled: 50 };
const [modelMs, answerMs] = [60_000, 4000];

/**
 * Estimates when jobs will be done. Task durations are learned once a minute; the queue is simulated every few seconds.
 */
export const createEstimates = (farm: Jobs) => {
  const samples = kept(farm, modelMs, async () => {
    const found = await farm.store.recentAttempts.samples(most.samples);
    return found.filter((each): each is TimedSample => each.wallMs !== null);
  });
  const model = kept(farm, modelMs, async () => learn(await samples()));
  return {
    /** What the last tasks took. */
    samples,
    all: kept(farm, answerMs, async () => estimate(await queueOf(farm, await model()))),
    /** When a job with these tasks would be done if it were sent now; null: unknown. */
    ofJob: async (efforts: readonly Effort[], startAfter: number | null): Promise<Finish | null> =>
      estimateOne(await queueOf(farm, await model()), efforts, startAfter),
  };
};

export type TimedSample = WorkSample & { readonly wallMs: number };
export type Estimator = ReturnType<typeof createEstimates>;

/** Made again once it is older than so many milliseconds and somebody asks. */
export const kept = <T>({ clock }: Pick<Jobs, "clock">, ms: number, make: () => Promise<T>): (() => Promise<T>) => {
  let made: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    const now = clock.monotonic();
    if (!made || now - made.at > ms) {
      const value = make();
      made = { at: now, value };
      value.catch(() => {
        if (made?.value === value) made = undefined; // the next caller tries again
      });
    }
    return made.value;
  };
};

const estimate = (queue: Queue): Estimates => {
  const { now, ids, unbegun, later, aside, held } = queue;
  const { jobs, starts, all } = finishes(queue);
  const unknown = new Set([
    ...queue.unknown,
    ...unbegun.filter((id) => !later.has(id)),
    ...ids.filter((id) => !jobs.has(id)),
  ]);
  const own = scheduledEnds(queue);
  const startOf = (id: number): Finish | null => {
    const at = held.get(id);
    if (at !== undefined) return at === null ? null : sureAt(Math.max(now, at));
    const range = starts.get(id);
    return range ? finishAt(now, range) : null;
  };
  return {
    jobs: new Map([
      ...[...jobs].flatMap(([id, range]) => (unknown.has(id) ? [] : [[id, finishAt(now, range)] as const])),
      ...own,
    ]),
    turns: new Map(
      [...new Set([...queue.places.keys(), ...held.keys(), ...starts.keys()])].map((id) => [
        id,
        { place: queue.places.get(id) ?? null, start: startOf(id) },
      ]),
    ),
    empty: all && queue.isWhole && [...unknown].every((id) => aside.has(id)) ? finishAt(now, all) : null,
    unknown: unknown.size,
    blocked: queue.blocked,
  };
};

/** Jobs that start later are taken to have the farm for themselves. */
const scheduledEnds = ({ now, slots, held, scheduled, later, unknown }: Queue): [number, Finish][] =>
  [...held].slice(0, most.scheduled).flatMap(([id, at]) => {
    const tasks = scheduled.filter(({ jobId }) => jobId === id);
    const after = later.get(id) ?? [];
    if (at === null || unknown.has(id) || tasks.length + after.length === 0) return [];
    const { jobs } = finishes({ slots, tasks, later: new Map([[id, after]]), unbegun: tasks.length === 0 ? [id] : [] });
    const range = jobs.get(id);
    return range ? [[id, finishAt(Math.max(now, at), range)]] : [];
  });

const sureAt = (at: number): Finish => finishAt(at, { from: 0, likely: 0, to: 0 });

/** What is known of one job, as it is now. */
export const forecastOf = (
  { jobs, turns }: Pick<Estimates, "jobs" | "turns">,
  { id, end_time, start_time }: Pick<JobRow, "id" | "end_time" | "start_time">,
  now: number,
): { readonly finish: Finish | null; readonly turn: Turn | null } => {
  if (end_time !== null) return { finish: null, turn: null };
  const finish = jobs.get(id);
  const turn = start_time === null ? turns.get(id) : undefined;
  return {
    finish: finish ? ahead(finish, now) : null,
    turn: turn ? { ...turn, start: turn.start && ahead(turn.start, now) } : null,
  };
};

/** Real jobs have higher ids. */
const newJob = 0;

/** The new job runs after all open work; one that starts later is taken to have the farm for itself. */
const estimateOne = (queue: Queue, efforts: readonly Effort[], startAfter: number | null): Finish | null => {
  const { now, slots, model, tasks, later, unbegun, isWhole } = queue;
  const guesses = efforts.flatMap((effort) => model.guess(effort) ?? []);
  const isLater = startAfter !== null && startAfter > now;
  if (guesses.length < efforts.length || (!isLater && !isWhole)) return null;
  const own = guesses.map((left): Open => ({ jobId: newJob, left, isRunning: false }));
  const alone = { slots, tasks: own, later: new Map(), unbegun: [] };
  const found = finishes(isLater ? alone : { slots, tasks: [...tasks, ...own], later, unbegun }).jobs.get(newJob);
  return found ? finishAt(isLater ? startAfter : now, found) : null;
};

/** Returns the latest estimates without waiting, and starts making newer ones. Undefined before the first are made. */
export const cacheLatest = (estimates: () => Promise<Estimates>): (() => Estimates | undefined) => {
  let latest: Estimates | undefined;
  return () => {
    estimates().then(
      (made) => {
        latest = made;
      },
      () => {}, // the next call tries again
    );
    return latest;
  };
};

const finishAt = (now: number, { from, likely, to }: Range): Finish => ({
  from: isoTime(now + from),
  likely: isoTime(now + likely),
  to: isoTime(now + to),
});
