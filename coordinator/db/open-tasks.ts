import type { Demand } from "../../shared/demand.ts";
import type { Weight } from "../../shared/elements/element.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Db } from "./open.ts";
import type { TaskRow } from "./tasks.ts";

/** What scheduling needs of a task; kept in memory while the task is open. */
export type OpenTask = {
  readonly id: number;
  readonly jobId: number;
  readonly name: string;
  readonly state: TaskState;
  readonly priority: number;
  readonly tags: readonly string[];
  readonly requires: readonly string[];
  readonly weight: Weight;
  readonly demand: Demand;
  /** Nodes on which it should not run again while another one could; memory knows them. */
  readonly avoids: readonly number[];
  readonly readyTime: number;
};

export const openTaskOf = (row: TaskRow): OpenTask => ({
  id: row.id,
  jobId: row.job_id,
  name: row.name,
  state: row.state,
  priority: row.priority,
  tags: row.tags,
  requires: row.requires,
  weight: row.weight,
  demand: row.demand,
  avoids: [],
  readyTime: row.ready_time,
});

type Raw = Omit<OpenTask, "tags" | "requires" | "demand" | "avoids"> &
  Readonly<Record<"tags" | "requires" | "demand", string>>;

const read = (raw: Raw): OpenTask => ({
  ...raw,
  tags: JSON.parse(raw.tags),
  requires: JSON.parse(raw.requires),
  demand: JSON.parse(raw.demand),
  avoids: [],
});

/** What the ready lists are made from when the coordinator starts. */
export const createOpenTaskStore = ({ writer }: Db) => {
  const all = writer.prepare<[], Raw>(
    `SELECT tasks.id, job_id AS jobId, tasks.name, state, coalesce(tasks.priority, jobs.priority) AS priority,
       tags, requires, weight, demand, ready_time AS readyTime
     FROM jobs JOIN tasks ON job_id = jobs.id
     WHERE status IN ('queued', 'active') AND state IN ('ready', 'delayed', 'running', 'committing')`,
  );
  const turns = writer.prepare<[], { jobId: number; turn: number }>(
    `SELECT job_id AS jobId, max(attempt) AS turn FROM tasks JOIN jobs ON jobs.id = job_id
     WHERE status IN ('queued', 'active') AND attempt IS NOT NULL GROUP BY job_id`,
  );

  return {
    /** A job that has ended has none. */
    all: (): OpenTask[] => all.all().map(read),
    /** Of each job that goes on: its latest attempt. Their order is the order in which jobs had their turns. */
    turns: (): [jobId: number, turn: number][] => turns.all().map(({ jobId, turn }) => [jobId, turn]),
  };
};
