import type { GraphConnection } from "../../shared/graph.ts";
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
  readonly clear: () => void;
};

/** Enough for all that runs and ends at one time; whoever waits longer is read again. */
const usual = { jobs: 5000, tasks: 50_000 };

export const createMemo = (limits: { readonly jobs: number; readonly tasks: number } = usual): Memo => {
  // A map keeps the order in which keys came: what was used last stands last.
  const memos = new Map<number, JobMemo>();
  const jobOfTask = new Map<number, number>();

  const forget = (jobId: number): void => {
    for (const taskId of memos.get(jobId)?.tasks?.keys() ?? []) jobOfTask.delete(taskId);
    memos.delete(jobId);
  };

  const trim = (): void => {
    for (const oldest of memos.keys()) {
      if (memos.size <= limits.jobs && jobOfTask.size <= limits.tasks) return;
      forget(oldest);
    }
  };

  const of = (jobId: number): JobMemo => {
    const known = memos.get(jobId);
    if (known) {
      memos.delete(jobId);
      memos.set(jobId, known);
      return known;
    }
    trim();
    const fresh: JobMemo = {};
    memos.set(jobId, fresh);
    return fresh;
  };

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
    clear: () => {
      memos.clear();
      jobOfTask.clear();
    },
  };
};
