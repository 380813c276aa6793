import { elementOf } from "../../media/elements/index.ts";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { mostPending, type RecentAttempts } from "../store/recent-attempts.ts";
import { type JobRow, slotsOfNode } from "../store/rows.ts";
import { type Effort, type Guess, leftOf, type Model, type Open, placesOf } from "./eta.ts";

/** The limit of what is examined: more would block the loop. */
const most = { jobs: 200, tasks: 800, places: 1000 };

/** The open work as far as it was counted, with how long each part of it may take. */
export type Queue = {
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

export const queueOf = async (farm: Jobs, model: Model): Promise<Queue> => {
  const { recentAttempts } = farm.store;
  const { begun, isWholeBegun, toBegin, unbegunHeld } = await openJobs(farm);
  const unbegun = toBegin.slice(0, most.jobs).map(({ id }) => id);
  const ids = [...new Set([...begun.map(({ id }) => id), ...unbegun, ...unbegunHeld])];
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

/** The oldest jobs that have begun, the first ones that have not, and the oldest of those that are held before they begin. */
const openJobs = async (farm: Pick<Jobs, "store" | "pausedJobs">) => {
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
    unbegunHeld: queued.flatMap(({ id, begun: n }) => (n === 0 && farm.pausedJobs.has(id) ? [id] : [])),
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

/** It waits for files until somebody stops it. */
const isWatching = ({ kind }: { readonly kind: string }): boolean => elementOf(kind)?.childJob !== undefined;

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

/** Slots of nodes that accept work, and busy ones. What its owner suspends stands still, for nobody knows how long. */
const countSlots = (farm: Pick<Jobs, "clock" | "registry">): number =>
  farm.registry.rows().reduce((sum, row) => {
    const { id, state, health } = row;
    const standing = farm.registry.standing(id);
    if (standing?.isSuspended) return sum;
    const isLost = farm.registry.heardState(id, farm.clock.monotonic()) === "lost";
    const takes = !isLost && state === "active" && health.state === "sound" && standing?.takes !== false;
    return sum + (takes ? slotsOfNode(row) : farm.registry.runningOn(id).length);
  }, 0);
