import type { Cause } from "./causes.ts";
import type { GraphConnection } from "./graph.ts";
import type { ElementRunState } from "./state/element-run.ts";
import type { TaskState } from "./state/task.ts";

type Run = { readonly uid: string; readonly kind: string; readonly state: ElementRunState };
type Task = {
  readonly id: number;
  readonly element_uid: string;
  readonly purpose: "facts" | "work";
  readonly state: TaskState;
  readonly attempt: number | null;
  readonly failure: { readonly cause: Cause } | undefined;
};

export type RetryJob = {
  readonly runs: readonly Run[];
  readonly connections: readonly GraphConnection[];
  readonly tasks: readonly Task[];
};

export type RetryWish = {
  readonly scope: "failed" | "all";
  /** Only the elements of these tasks; absent: all. */
  readonly taskIds: readonly number[];
  /** Undefined: if the cause requires it. */
  readonly replan: boolean | undefined;
};

/** The changes of a retry: tasks queued again, elements reopened, elements reset and planned again. */
export type RetryPlan = {
  readonly requeue: readonly number[];
  readonly reopen: readonly { readonly uid: string; readonly to: "planning" | "running" }[];
  /** With their tasks. */
  readonly forget: readonly string[];
};

/**
 * A failed element's failed tasks are retried together, because it cannot succeed while one of them is failed. Skipped
 * elements after it wait again. If the source was the cause, the elements that read it are planned again.
 */
export const planRetry = (job: RetryJob, wish: RetryWish): RetryPlan => {
  if (wish.scope === "all") return { requeue: [], reopen: [], forget: job.runs.map(({ uid }) => uid) };
  const wanted = new Set(wish.taskIds);
  const tasksOf = Map.groupBy(job.tasks, ({ element_uid }) => element_uid);
  const failed = job.runs.filter(({ uid, state }) => state === "failed" && isChosen(tasksOf.get(uid) ?? [], wanted));
  const anew = failed.filter(({ uid }) => isPlannedAnew(failedOf(tasksOf.get(uid)), wish.replan));
  const kept = failed.filter((run) => !anew.includes(run));
  const sources = sourcesBefore(
    anew.filter(
      ({ uid }) => wish.replan || failedOf(tasksOf.get(uid)).some(({ failure }) => failure?.cause === "source"),
    ),
    job,
  );
  const changed = [...failed.map(({ uid }) => uid), ...sources];
  return {
    requeue: kept.flatMap(({ uid }) => failedOf(tasksOf.get(uid)).map(({ id }) => id)),
    reopen: kept.map(({ uid }) => {
      const isGathering = failedOf(tasksOf.get(uid)).some(({ purpose }) => purpose === "facts");
      return { uid, to: isGathering ? ("planning" as const) : ("running" as const) };
    }),
    forget: [...new Set([...sources, ...anew.map(({ uid }) => uid), ...skippedBehind(changed, job)])],
  };
};

const isChosen = (tasks: readonly Task[], wanted: ReadonlySet<number>): boolean =>
  wanted.size === 0 || tasks.some(({ id }) => wanted.has(id));

const failedOf = (tasks: readonly Task[] = []): readonly Task[] => tasks.filter(({ state }) => state === "failed");

/** A task without an attempt failed before any node could run it, so its plan failed. */
const isPlannedAnew = (failed: readonly Task[], replan: boolean | undefined): boolean =>
  failed.length === 0 || failed.some(isNeverTried) || (replan ?? failed.some(hasOldFacts));

const isNeverTried = ({ attempt, failure }: Task): boolean => attempt === null && failure?.cause !== "cancelled";
const hasOldFacts = ({ failure }: Task): boolean => failure?.cause === "source" || failure?.cause === "definition";

/** The sources that feed these elements, at any distance: their facts may be those of a replaced file. */
const sourcesBefore = (runs: readonly Run[], { runs: all, connections }: RetryJob): string[] => {
  const before = reach(
    runs.map(({ uid }) => uid),
    connections.flatMap(({ from, success, error }) => [...success, ...error].map((to) => [to, from] as const)),
  );
  return all
    .filter(({ uid, kind, state }) => kind === "source" && state === "succeeded" && before.has(uid))
    .map(({ uid }) => uid);
};

const skippedBehind = (uids: readonly string[], { runs, connections }: RetryJob): string[] => {
  const behind = reach(
    uids,
    connections.flatMap(({ from, success, error }) => from.map((each) => [each, [...success, ...error]] as const)),
  );
  return runs.filter(({ uid, state }) => state === "skipped" && behind.has(uid)).map(({ uid }) => uid);
};

/** Everything reachable from the start nodes, without them. */
const reach = (begin: readonly string[], edges: readonly (readonly [string, readonly string[]])[]): Set<string> => {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), ...to]);
  const found = new Set<string>();
  const open = [...begin];
  for (let uid = open.pop(); uid !== undefined; uid = open.pop()) {
    for (const each of next.get(uid) ?? []) {
      if (found.has(each)) continue;
      found.add(each);
      open.push(each);
    }
  }
  return found;
};
