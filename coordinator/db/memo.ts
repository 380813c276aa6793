import type { GraphConnection } from "../../shared/graph.ts";
import type { Work } from "../../shared/work.ts";
import type { AttemptRow } from "./attempts.ts";
import type { ElementRunRow } from "./element-runs.ts";
import type { JobSchedule } from "./job-schedules.ts";
import type { JobRow } from "./jobs.ts";
import type { TaskRow } from "./tasks.ts";

/** One job as the writing connection sees it; a part is there once somebody asked for it. */
type JobMemo = {
  row?: JobRow;
  schedule?: JobSchedule;
  connections?: readonly GraphConnection[];
  /** In the order of the definition. */
  runs?: readonly ElementRunRow[];
  /** All of the job's, by id, oldest first. */
  tasks?: Map<number, TaskRow>;
};

/**
 * Jobs at work, so that a decision need not ask the store for what the last one wrote there. Stores write through:
 * a statement that changes rows changes them here too, or forgets the job. A rollback forgets everything.
 */
export type Memo = {
  readonly of: (jobId: number) => JobMemo;
  /** The memo of the job whose tasks are known and that has this one. */
  readonly ofTask: (taskId: number) => JobMemo | undefined;
  readonly putTask: (jobId: number, task: TaskRow) => void;
  readonly forget: (jobId: number) => void;
  /** Open attempts, by counter. */
  readonly attempts: Recent<AttemptRow>;
  /** The work of tasks that were planned or given out lately, by id; it never changes. */
  readonly works: Recent<Work>;
  readonly clear: () => void;
};

/** What was put in last, by number. */
type Recent<T> = Pick<Map<number, T>, "get" | "delete"> & { readonly set: (id: number, value: T) => void };

/** Enough for all that runs and ends at one time; whoever waits longer is read again. */
const usual = { jobs: 5000, tasks: 50_000 };
const most = { attempts: 10_000, works: 2000 };

export const createMemo = (limits: { readonly jobs: number; readonly tasks: number } = usual): Memo => {
  // A map keeps the order in which keys came: what was used last stands last.
  const memos = new Map<number, JobMemo>();
  const jobOfTask = new Map<number, number>();
  const attempts = createRecent<AttemptRow>(most.attempts);
  const works = createRecent<Work>(most.works);
  let last: { readonly jobId: number; readonly memo: JobMemo } | undefined;

  const forget = (jobId: number): void => {
    for (const taskId of memos.get(jobId)?.tasks?.keys() ?? []) jobOfTask.delete(taskId);
    memos.delete(jobId);
    if (last?.jobId === jobId) last = undefined;
  };

  const trim = (): void => {
    for (const oldest of memos.keys()) {
      if (memos.size <= limits.jobs && jobOfTask.size <= limits.tasks) return;
      forget(oldest);
    }
  };

  const putLast = (jobId: number): JobMemo => {
    const known = memos.get(jobId);
    if (known) memos.delete(jobId);
    else trim();
    const memo = known ?? {};
    memos.set(jobId, memo);
    last = { jobId, memo };
    return memo;
  };

  /** Most often it is asked for the same job again. */
  const of = (jobId: number): JobMemo => (last?.jobId === jobId ? last.memo : putLast(jobId));

  return {
    of,
    ofTask: (taskId) => {
      const jobId = jobOfTask.get(taskId);
      return jobId === undefined ? undefined : of(jobId);
    },
    putTask: (jobId, task) => {
      const { tasks } = of(jobId);
      if (!tasks) return;
      tasks.set(task.id, task);
      jobOfTask.set(task.id, jobId);
    },
    forget,
    attempts,
    works,
    clear: () => {
      for (const each of [memos, jobOfTask, attempts, works]) each.clear();
      last = undefined;
    },
  };
};

/** Forgets what came first when there are too many. */
const createRecent = <T>(most: number): Recent<T> & Pick<Map<number, T>, "clear"> => {
  const kept = new Map<number, T>();
  return {
    get: (id) => kept.get(id),
    delete: (id) => kept.delete(id),
    clear: () => kept.clear(),
    set: (id, value) => {
      kept.set(id, value);
      const [first] = kept.size > most ? kept.keys() : [];
      if (first !== undefined) kept.delete(first);
    },
  };
};
