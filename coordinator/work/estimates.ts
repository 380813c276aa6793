import {
  type Effort,
  finishes,
  type Guess,
  learn,
  leftOf,
  type Model,
  type Open,
  type Range,
} from "../../shared/eta.ts";
import type { Finish } from "../../shared/job-view.ts";
import { keptIn } from "../../shared/kept.ts";
import { mostPending, type RecentAttempts, type WorkSample } from "../store/recent-attempts.ts";
import { slotsOfNode } from "../store/rows.ts";
import type { Farm } from "./farm.ts";
import { isoTime } from "./info.ts";

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
export const createEstimates = (farm: Farm): (() => Promise<Estimates>) => {
  const model = kept(farm, modelMs, async () => {
    const samples = await farm.store.recentAttempts.samples(most.samples);
    return learn(samples.filter((each): each is WorkSample & { wallMs: number } => each.wallMs !== null));
  });
  return kept(farm, answerMs, async () => estimate(farm, await model()));
};

const kept = <T>({ clock }: Farm, ms: number, make: () => Promise<T>): (() => Promise<T>) => {
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

const estimate = async (farm: Farm, model: Model): Promise<Estimates> => {
  const { recentAttempts } = farm.store;
  const opened = await recentAttempts.openJobs(most.jobs);
  const ids = [...new Set(opened.map(({ id }) => id))];
  const running = runningOf(farm);
  const [open, pending] = await Promise.all([
    recentAttempts.openWork(ids, most.tasks),
    recentAttempts.pendingKinds(ids),
  ]);
  const unknown = new Set<number>(ids.filter((id) => farm.held.has(id)));
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
    if (guess) keptIn(later, job_id, () => []).push(guess);
    else unknown.add(job_id);
  }
  const counted = tasks
    .filter(({ jobId }) => !farm.held.has(jobId))
    .sort((a, b) => Number(b.isRunning) - Number(a.isRunning));
  const { jobs, all } = finishes({ slots: slotsOf(farm), tasks: counted, later });
  const now = farm.clock.now();
  for (const id of ids) if (!jobs.has(id)) unknown.add(id);
  return {
    jobs: new Map([...jobs].filter(([id]) => !unknown.has(id)).map(([id, range]) => [id, finishAt(now, range)])),
    empty: all && unknown.size === 0 && open.length < most.tasks ? finishAt(now, all) : null,
    unknown: unknown.size,
    blocked: blockedOf(opened, pending),
  };
};

/** The latest estimates at once, without waiting for newer ones, which are begun. Undefined at first. */
export const latestOf = (estimates: () => Promise<Estimates>): (() => Estimates | undefined) => {
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
  opened: Awaited<ReturnType<RecentAttempts["openJobs"]>>,
  pending: Awaited<ReturnType<RecentAttempts["pendingKinds"]>>,
): number | null => {
  const begun = new Set(opened.flatMap(({ id, status }) => (status === "active" ? [id] : [])));
  const isWhole = begun.size < most.jobs && pending.length < mostPending;
  return isWhole ? pending.filter(({ job_id }) => begun.has(job_id)).length : null;
};

const unplanned = (kind: string): Effort => ({ kind, purpose: "work", codec: null, seconds: null, pixels: null });

const runningOf = (farm: Farm): Map<number, { elapsedMs: number; percent: number | undefined }> => {
  const running = farm.registry.running().map(({ held: { taskId, begun } }) => {
    const percent = farm.progress.task(taskId)?.percent;
    return [taskId, { elapsedMs: farm.clock.now() - begun, percent }] as const;
  });
  return new Map(running);
};

/** Slots of nodes that accept work, and busy ones. */
const slotsOf = (farm: Farm): number =>
  farm.registry.rows().reduce((sum, row) => {
    const { id, state, health } = row;
    const isLost = farm.registry.presence(id, farm.clock.monotonic()) === "lost";
    const takes = !isLost && state === "active" && health.state === "sound";
    return sum + (takes ? slotsOfNode(row) : farm.registry.heldBy(id).length);
  }, 0);

const finishAt = (now: number, { from, likely, to }: Range): Finish => ({
  from: isoTime(now + from),
  likely: isoTime(now + likely),
  to: isoTime(now + to),
});
