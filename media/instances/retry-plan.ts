import type { Cause } from "../../shared/model/failure.ts";
import type { ElementRunState } from "../../shared/state/element-run.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Instance } from "./graph-state.ts";
import { isPathBelow, type Path, pathsAbove, runKey } from "./path.ts";
import { isWithin, type Shape } from "./shape.ts";

type Run = Instance & { readonly kind: string; readonly state: ElementRunState };
type Task = {
  readonly id: number;
  readonly element_uid: string;
  readonly path: Path;
  readonly purpose: "facts" | "stage" | "work";
  readonly state: TaskState;
  readonly attempt: number | null;
  readonly failure: { readonly cause: Cause } | undefined;
};

export type RetryJob = {
  readonly shape: Shape;
  /** Instances that were begun or skipped. */
  readonly runs: readonly Run[];
  readonly tasks: readonly Task[];
};

export type RetryWish = {
  readonly scope: "failed" | "all";
  /** Only the elements of these tasks; none: of all. */
  readonly taskIds: readonly number[];
  /** Undefined: where the cause asks for it. */
  readonly replan: boolean | undefined;
};

/** What a retry changes: tasks back to the queue, instances back to work, instances forgotten and planned anew. */
export type RetryPlan = {
  readonly requeue: readonly number[];
  readonly reopen: readonly (Instance & { readonly to: "planning" | "running" })[];
  /** With their tasks. */
  readonly forget: readonly Instance[];
};

/**
 * A failed instance's failed tasks are retried together, since it cannot succeed while one of them is failed. What was
 * skipped behind it waits again. Where the source was the cause, the elements that read it are planned again. What ran
 * behind an enumeration without a batch is forgotten where the enumeration runs again: it may find some.
 */
export const planRetry = (job: RetryJob, wish: RetryWish): RetryPlan => {
  if (wish.scope === "all") return { requeue: [], reopen: [], forget: job.runs };
  const wanted = new Set(wish.taskIds);
  const tasksOf = Map.groupBy(job.tasks, ({ element_uid, path }) => runKey({ uid: element_uid, path }));
  const failedTasks = (run: Run) => (tasksOf.get(runKey(run)) ?? []).filter(({ state }) => state === "failed");
  const failed = job.runs.filter((run) => run.state === "failed" && isChosen(tasksOf.get(runKey(run)) ?? [], wanted));
  const anew = failed.filter((run) => isPlannedAnew(failedTasks(run), wish.replan));
  const isAnew = new Set(anew);
  const kept = failed.filter((run) => !isAnew.has(run));
  const sources = sourcesBefore(
    anew.filter((run) => wish.replan || failedTasks(run).some(({ failure }) => failure?.cause === "source")),
    job,
  );
  const forget = [...sources, ...anew, ...skippedBehind([...failed, ...sources], job)];
  const gone = new Set([...forget, ...insideOf([...forget, ...kept], job)]);
  const stays = kept.filter((run) => !gone.has(run));
  return {
    requeue: stays.flatMap((run) => failedTasks(run).map(({ id }) => id)),
    reopen: stays.map((run) => {
      const isGathering = failedTasks(run).some(({ purpose }) => purpose !== "work");
      return { uid: run.uid, path: run.path, to: isGathering ? ("planning" as const) : ("running" as const) };
    }),
    forget: [...gone].map(({ uid, path }) => ({ uid, path })),
  };
};

const isChosen = (tasks: readonly Task[], wanted: ReadonlySet<number>): boolean =>
  wanted.size === 0 || tasks.some(({ id }) => wanted.has(id));

/** A task without an attempt failed before anybody could work on it: its plan is what failed. */
const isPlannedAnew = (failed: readonly Task[], replan: boolean | undefined): boolean =>
  failed.length === 0 || failed.some(isNeverTried) || (replan ?? failed.some(hasOldFacts));

const isNeverTried = ({ attempt, failure }: Task): boolean => attempt === null && failure?.cause !== "cancelled";
const hasOldFacts = ({ failure }: Task): boolean => failure?.cause === "source" || failure?.cause === "definition";

/** The sources that feed these elements, however far ahead: their facts may be those of a file that was replaced. */
const sourcesBefore = (runs: readonly Run[], { runs: all, shape: { connections } }: RetryJob): Run[] => {
  const before = relatedTo(
    runs,
    connections.flatMap(({ from, success, error }) => [...success, ...error].map((to) => [to, from] as const)),
  );
  return all.filter((run) => run.kind === "source" && run.state === "succeeded" && before(run));
};

const skippedBehind = (changed: readonly Run[], { runs, shape: { connections } }: RetryJob): Run[] => {
  const behind = relatedTo(
    changed,
    connections.flatMap(({ from, success, error }) => from.map((each) => [each, [...success, ...error]] as const)),
  );
  return runs.filter((run) => run.state === "skipped" && behind(run));
};

/** What ran for the batches, or without one, of enumerations that run again. */
const insideOf = (changed: readonly Run[], { runs, shape: { elements, scopeOf } }: RetryJob): Run[] => {
  const again = changed.filter(({ uid }) => elements.get(uid)?.enumerates);
  if (again.length === 0) return [];
  return runs.filter((run) =>
    again.some(({ uid, path }) => isWithin(scopeOf, scopeOf.get(run.uid) ?? "", uid) && isPathBelow(run.path, path)),
  );
};

/** Whether edges lead from one of these runs to another run, and both have their batches in common. */
const relatedTo = (begin: readonly Run[], edges: readonly (readonly [string, readonly string[]])[]) => {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), ...to]);
  const pathsOf = new Map<string, Path[]>();
  for (const [uid, runs] of Map.groupBy(begin, ({ uid }) => uid)) {
    for (const found of reach(uid, next)) pathsOf.set(found, [...(pathsOf.get(found) ?? []), ...runs.map(pathOf)]);
  }
  const known = new Map([...pathsOf].map(([uid, paths]) => [uid, togetherWith(paths)]));
  return ({ uid, path }: Run): boolean => known.get(uid)?.(path) ?? false;
};

const pathOf = ({ path }: Run): Path => path;

/** Whether a path lies above or below one of these. */
const togetherWith = (paths: readonly Path[]): ((path: Path) => boolean) => {
  const [own, above] = [new Set(paths), new Set(paths.flatMap(pathsAbove))];
  return (path) => above.has(path) || pathsAbove(path).some((each) => own.has(each));
};

/** Everything that edges lead to, without the beginning. */
const reach = (begin: string, next: ReadonlyMap<string, readonly string[]>): Set<string> => {
  const found = new Set<string>();
  const open = [begin];
  for (let uid = open.pop(); uid !== undefined; uid = open.pop()) {
    for (const each of next.get(uid) ?? []) {
      if (found.has(each)) continue;
      found.add(each);
      open.push(each);
    }
  }
  return found;
};
