import { elementOf } from "../../media/elements/index.ts";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import { ahead, type Finish, type Turn } from "../../shared/model/forecast.ts";
import { isoTime } from "../iso-time.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { mostPending, type RecentAttempts, type WorkSample } from "../store/recent-attempts.ts";
import { type JobRow, slotsOfNode } from "../store/rows.ts";
import { type Effort, finishes, type Guess, learn, leftOf, type Model, type Open, placesOf, type Range } from "./eta.ts";

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
const most = { samples: 4000, jobs: 200, tasks: 800, places: 1000, scheduled: 50 };
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

/** The open work as far as it was counted, with how long each part of it may take. */
type Queue = {
  readonly now: number;
  readonly slots: number;
  readonly model: Model;
  readonly ids: readonly number[];
  readonly tasks: readonly Open[];
  /** Tasks of jobs that start at a time that is given. */
  readonly scheduled: readonly Open[];
  readonly later: ReadonlyMap<number, readonly Guess[]>;
  /** Jobs without tasks, in the order in which they begin. */
  readonly unbegun: readonly number[];
  /** Jobs of which some part has no estimate. */
  readonly unknown: ReadonlySet<number>;
  /** Jobs that the queue need not wait for: held ones, and those that watch folders until somebody stops them. */
  readonly aside: ReadonlySet<number>;
  /** When held jobs start; null: when somebody resumes them. */
  readonly held: ReadonlyMap<number, number | null>;
  readonly places: ReadonlyMap<number, number>;
  readonly isWhole: boolean;
  readonly blocked: number | null;
};

const queueOf = async (farm: Jobs, model: Model): Promise<Queue> => {
  const { recentAttempts } = farm.store;
  const { begun, isWholeBegun, toBegin } = await openJobs(farm);
  const unbegun = toBegin.slice(0, most.jobs).map(({ id }) => id);
  const ids = [...new Set([...begun.map(({ id }) => id), ...unbegun])];
  const running = runningOf(farm);
  const [open, pending] = await Promise.all([
    recentAttempts.openWork(ids, most.tasks),
    recentAttempts.pendingKinds(ids),
  ]);
  const held = new Map(ids.flatMap((id) => heldOf(farm, id)));
  const unknown = new Set<number>();
  const all: Open[] = [];
  for (const work of open) {
    const run = running.get(work.task_id);
    const whole = model.guess(work);
    const left = run ? leftOf(whole, run.elapsedMs, run.percent) : whole;
    if (left) all.push({ jobId: work.job_id, left, isRunning: run !== undefined });
    else unknown.add(work.job_id);
  }
  const priorities = new Map([...begun, ...toBegin].map(({ id, priority }) => [id, priority]));
  const isFree = ({ jobId }: Open) => !held.has(jobId);
  return {
    ...{ now: farm.clock.now(), slots: countSlots(farm), model, ids, held, unknown },
    later: laterOf(model, pending, unknown),
    unbegun: unbegun.filter((id) => !held.has(id)),
    aside: new Set([...held.keys(), ...open.filter(isWatching).map(({ job_id }) => job_id)]),
    tasks: all.filter(isFree).sort(inOrder(priorities)),
    scheduled: all.filter((task) => !isFree(task)),
    places: isWholeBegun ? placesOf([...begun, ...toBegin], ({ id }) => !held.has(id), running.jobs) : new Map(),
    isWhole: open.length < most.tasks && isWholeBegun && toBegin.length <= most.jobs,
    blocked: blockedOf(begun, pending),
  };
};

/** The oldest jobs that have begun, and the first ones that have not. */
const openJobs = async (farm: Pick<Jobs, "store">) => {
  const list = (status: JobRow["status"]): Promise<JobRow[]> =>
    farm.store.jobs.list({
      filters: [{ field: "status", values: [status] }],
      ...{ sort: "id", order: "asc", skip: 0, take: most.jobs },
    });
  const [active, queued, toBegin] = await Promise.all([
    list("active"),
    list("queued"),
    farm.store.due.toBegin(most.places),
  ]);
  // The lists are read one after the other: a job may have begun in between.
  const begun = [...active, ...queued.filter((row) => row.begun === 1)];
  const known = new Set(begun.map(({ id }) => id));
  return {
    begun: [...new Map(begun.map((row) => [row.id, row])).values()],
    isWholeBegun: active.length < most.jobs,
    toBegin: toBegin.filter(({ id }) => !known.has(id)),
  };
};

const heldOf = ({ pausedJobs }: Pick<Jobs, "pausedJobs">, id: number): [number, number | null][] => {
  const schedule = pausedJobs.get(id);
  return schedule ? [[id, schedule.paused === null ? schedule.startAfter : null]] : [];
};

const laterOf = (
  model: Model,
  pending: readonly { readonly job_id: number; readonly kind: string }[],
  unknown: Set<number>,
): ReadonlyMap<number, readonly Guess[]> => {
  const later = new Map<number, Guess[]>();
  for (const { job_id, kind } of pending) {
    const guess = model.guess(unplanned(kind));
    if (guess) getOrInsert(later, job_id, () => []).push(guess);
    else unknown.add(job_id);
  }
  return later;
};

/** Running tasks first, then by their jobs' priority and age. */
const inOrder =
  (priorities: ReadonlyMap<number, number>) =>
  (a: Open, b: Open): number =>
    Number(b.isRunning) - Number(a.isRunning) ||
    (priorities.get(b.jobId) ?? 0) - (priorities.get(a.jobId) ?? 0) ||
    a.jobId - b.jobId;

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

/** It waits for files until somebody stops it. */
const isWatching = ({ kind }: { readonly kind: string }): boolean => elementOf(kind)?.childJob !== undefined;

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

const blockedOf = (
  opened: readonly Pick<JobRow, "id" | "status">[],
  pending: Awaited<ReturnType<RecentAttempts["pendingKinds"]>>,
): number | null => {
  const begun = new Set(opened.flatMap(({ id, status }) => (status === "active" ? [id] : [])));
  const isWhole = begun.size < most.jobs && pending.length < mostPending;
  return isWhole ? pending.filter(({ job_id }) => begun.has(job_id)).length : null;
};

/** An element whose tasks are not known yet. */
export const unplanned = (kind: string): Effort => ({
  kind,
  purpose: elementOf(kind)?.isSource ? "facts" : "work",
  codec: null,
  seconds: null,
  pixels: null,
});

type Run = { readonly elapsedMs: number; readonly percent: number | undefined };

/** The tasks that run, and their jobs. */
const runningOf = (farm: Jobs) => {
  const jobs = new Set<number>();
  const tasks = new Map<number, Run>();
  for (const { held } of farm.registry.running()) {
    jobs.add(held.jobId);
    const percent = farm.progress.task(held.taskId)?.percent;
    tasks.set(held.taskId, { elapsedMs: farm.clock.now() - held.begun, percent });
  }
  return { jobs, get: (taskId: number) => tasks.get(taskId) };
};

/** Slots of nodes that accept work, and busy ones. */
const countSlots = (farm: Pick<Jobs, "clock" | "registry">): number =>
  farm.registry.rows().reduce((sum, row) => {
    const { id, state, health } = row;
    const isLost = farm.registry.heardState(id, farm.clock.monotonic()) === "lost";
    const takes = !isLost && state === "active" && health.state === "sound";
    return sum + (takes ? slotsOfNode(row) : farm.registry.runningOn(id).length);
  }, 0);

const finishAt = (now: number, { from, likely, to }: Range): Finish => ({
  from: isoTime(now + from),
  likely: isoTime(now + likely),
  to: isoTime(now + to),
});
