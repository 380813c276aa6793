import { elementOf } from "../../media/elements/index.ts";
import type { Finish } from "../../shared/api/job-view.ts";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import { isoTime } from "../iso-time.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { mostPending, type RecentAttempts, type WorkSample } from "../store/recent-attempts.ts";
import { type JobRow, slotsOfNode } from "../store/rows.ts";
import { type Effort, finishes, type Guess, learn, leftOf, type Model, type Open, type Range } from "./eta.ts";

export type Estimates = {
  readonly jobs: ReadonlyMap<number, Finish>;
  readonly empty: Finish | null;
  /** Open jobs without a known end. */
  readonly unknown: number;
  /** Elements of begun jobs that wait for others to end; null if there are more than were counted. */
  readonly blocked: number | null;
};

/** The limit of what is examined: more would block the loop. */
const most = { samples: 4000, jobs: 200, tasks: 800 };
const [modelMs, answerMs] = [60_000, 4000];

/**
 * Estimates when jobs will be done. Task durations are learned once a minute; the queue is simulated every few seconds.
 */
export const createEstimates = (farm: Jobs) => {
  const model = kept(farm, modelMs, async () => {
    const samples = await farm.store.recentAttempts.samples(most.samples);
    return learn(samples.filter((each): each is WorkSample & { wallMs: number } => each.wallMs !== null));
  });
  return {
    all: kept(farm, answerMs, async () => estimate(await queueOf(farm, await model()))),
    /** When a job with these tasks would be done if it were sent now; null: unknown. */
    ofJob: async (efforts: readonly Effort[], startAfter: number | null): Promise<Finish | null> =>
      estimateOne(await queueOf(farm, await model()), efforts, startAfter),
  };
};

export type Estimator = ReturnType<typeof createEstimates>;

const kept = <T>({ clock }: Pick<Jobs, "clock">, ms: number, make: () => Promise<T>): (() => Promise<T>) => {
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
  readonly later: ReadonlyMap<number, readonly Guess[]>;
  /** Jobs of which some part has no estimate. */
  readonly unknown: ReadonlySet<number>;
  /** Jobs that the queue need not wait for: held ones, and those that watch folders until somebody stops them. */
  readonly aside: ReadonlySet<number>;
  readonly isWhole: boolean;
  readonly blocked: number | null;
};

const queueOf = async (farm: Jobs, model: Model): Promise<Queue> => {
  const { recentAttempts } = farm.store;
  const opened = (await Promise.all([openJobs(farm, "active"), openJobs(farm, "queued")])).flat();
  const ids = [...new Set(opened.map(({ id }) => id))];
  const running = runningOf(farm);
  const [open, pending] = await Promise.all([
    recentAttempts.openWork(ids, most.tasks),
    recentAttempts.pendingKinds(ids),
  ]);
  const unknown = new Set<number>(ids.filter((id) => farm.pausedJobs.has(id)));
  const tasks: Open[] = [];
  for (const work of open) {
    const run = running.get(work.task_id);
    const whole = model.guess(work);
    const left = run ? leftOf(whole, run.elapsedMs, run.percent) : whole;
    if (left) tasks.push({ jobId: work.job_id, left, isRunning: run !== undefined });
    else unknown.add(work.job_id);
  }
  const later = new Map<number, Guess[]>();
  for (const { job_id, kind } of pending) {
    const guess = model.guess(unplanned(kind));
    if (guess) getOrInsert(later, job_id, () => []).push(guess);
    else unknown.add(job_id);
  }
  return {
    ...{ now: farm.clock.now(), slots: countSlots(farm), model, ids, later, unknown },
    aside: new Set([
      ...ids.filter((id) => farm.pausedJobs.has(id)),
      ...open.filter(isWatching).map(({ job_id }) => job_id),
    ]),
    tasks: tasks
      .filter(({ jobId }) => !farm.pausedJobs.has(jobId))
      .sort((a, b) => Number(b.isRunning) - Number(a.isRunning)),
    isWhole: open.length < most.tasks,
    blocked: blockedOf(opened, pending),
  };
};

/** The oldest ones. */
const openJobs = (farm: Pick<Jobs, "store">, status: JobRow["status"]): Promise<JobRow[]> =>
  farm.store.jobs.list({
    filters: [{ field: "status", values: [status] }],
    ...{ sort: "id", order: "asc", skip: 0, take: most.jobs },
  });

const estimate = ({ now, slots, ids, tasks, later, isWhole, blocked, aside, ...queue }: Queue): Estimates => {
  const { jobs, all } = finishes({ slots, tasks, later });
  const unknown = new Set([...queue.unknown, ...ids.filter((id) => !jobs.has(id))]);
  return {
    jobs: new Map([...jobs].filter(([id]) => !unknown.has(id)).map(([id, range]) => [id, finishAt(now, range)])),
    empty: all && isWhole && [...unknown].every((id) => aside.has(id)) ? finishAt(now, all) : null,
    unknown: unknown.size,
    blocked,
  };
};

/** It waits for files until somebody stops it. */
const isWatching = ({ kind }: { readonly kind: string }): boolean => elementOf(kind)?.childJob !== undefined;

/** Real jobs have higher ids. */
const newJob = 0;

/** The new job runs after all open work; one that starts later is taken to have the farm for itself. */
const estimateOne = (queue: Queue, efforts: readonly Effort[], startAfter: number | null): Finish | null => {
  const { now, slots, model, tasks, later, isWhole } = queue;
  const guesses = efforts.flatMap((effort) => model.guess(effort) ?? []);
  const isLater = startAfter !== null && startAfter > now;
  if (guesses.length < efforts.length || (!isLater && !isWhole)) return null;
  const own = guesses.map((left): Open => ({ jobId: newJob, left, isRunning: false }));
  const range = finishes({ slots, tasks: isLater ? own : [...tasks, ...own], later: isLater ? new Map() : later }).jobs;
  const found = range.get(newJob);
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
  opened: readonly JobRow[],
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

const runningOf = (farm: Jobs): Map<number, { elapsedMs: number; percent: number | undefined }> => {
  const running = farm.registry.running().map(({ held: { taskId, begun } }) => {
    const percent = farm.progress.task(taskId)?.percent;
    return [taskId, { elapsedMs: farm.clock.now() - begun, percent }] as const;
  });
  return new Map(running);
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
