import Database from "better-sqlite3";
import { limits } from "../../../shared/model/job.ts";
import type { Hello } from "../../../shared/protocol/messages.ts";

type JobRow = {
  readonly id: number;
  readonly name: string;
  /** The job whose watched folder it is of. */
  readonly parent_id: number | null;
  readonly status: string;
  readonly progress: number;
  readonly error: string | null;
  readonly priority: number;
  /** The priority that its definition names. */
  readonly submitted: number;
};

type TaskRow = {
  readonly id: number;
  readonly job_id: number;
  readonly state: string;
  readonly tags: string;
  readonly weight: string;
  readonly demand: string;
  readonly requires: string;
  readonly retry_nr: number;
  readonly retry_count: number;
  readonly losses: number;
  readonly attempt: number | null;
  readonly intent: string | null;
  readonly ready_time: number;
  readonly failure: string | null;
};

type AttemptRow = {
  readonly counter: number;
  readonly epoch: number;
  readonly task_id: number;
  readonly node_id: number;
  readonly state: string;
  readonly assigned: number;
  readonly ended: number | null;
  readonly failure: string | null;
};

/** A store as it lies on disk once nobody uses it any more. */
export type StoreImage = {
  readonly jobs: readonly JobRow[];
  readonly tasks: readonly TaskRow[];
  readonly attempts: readonly AttemptRow[];
  readonly nodes: readonly { readonly id: number; readonly tags: string }[];
};

export const readStore = (file: string): StoreImage => {
  const db = new Database(file, { readonly: true });
  const all = <T>(sql: string): T[] => db.prepare<[], T>(sql).all();
  const jobs = all<JobRow>(
    `SELECT id, name, parent_id, status, progress, error, priority, coalesce(definition ->> '$.priority', ${limits.defaultPriority}) AS submitted
       FROM jobs JOIN job_definitions ON job_id = id`,
  );
  const tasks = all<TaskRow>(
    `SELECT id, job_id, state, tags, weight, demand, requires, retry_nr, retry_count, losses, attempt, intent, ready_time, failure
       FROM tasks`,
  );
  const attempts = all<AttemptRow>(
    "SELECT counter, epoch, task_id, node_id, state, assigned, ended, failure FROM attempts",
  );
  const nodes = all<StoreImage["nodes"][number]>(
    "SELECT id, coalesce(tags, json_extract(hello, '$.tags')) AS tags FROM nodes",
  );
  db.close();
  return { jobs, tasks, attempts, nodes };
};

/** What the nodes said of themselves when they came last. */
export const readHellos = (file: string): Pick<Hello, "name" | "tools">[] => {
  const db = new Database(file, { readonly: true });
  const rows = db.prepare<[], { hello: string }>("SELECT hello FROM nodes").all();
  db.close();
  return rows.map(({ hello }) => JSON.parse(hello));
};

const finalTasks = ["completed", "failed"];
const finalAttempts = ["published", "failed", "lost", "cancelled"];

/** Everything has ended, and says so everywhere alike. */
export const openEnds = ({ jobs, tasks, attempts }: StoreImage): string[] => [
  ...jobs.flatMap(({ id, status, progress }) => {
    if (status !== "completed" && status !== "failed") return [`job ${id} is ${status}`];
    return status === "completed" && progress !== 100 ? [`job ${id} is completed at ${progress} %`] : [];
  }),
  ...tasks
    .filter(({ state }) => !finalTasks.includes(state))
    .map(({ id, state, retry_nr, failure }) => `task ${id} is ${state} after ${retry_nr} retries, ${failure}`),
  ...attempts
    .filter(({ state, ended }) => !finalAttempts.includes(state) || ended === null)
    .map(({ counter, state }) => `attempt ${counter} is ${state}: it holds a slot for ever`),
];

/** Jobs that people tried again. */
type TriedAgain = { readonly byHand?: ReadonlySet<number> };

/** A task's record agrees with its attempts; what people try again may fail more often than its retries allow. */
export const strayTasks = ({ tasks, attempts, byHand }: StoreImage & TriedAgain): string[] => {
  const byTask = Map.groupBy(attempts, ({ task_id }) => task_id);
  return tasks.flatMap((task) => {
    const wrong = strayTask(task, byTask.get(task.id) ?? [], byHand?.has(task.job_id) === true);
    return wrong.map((what) => `task ${task.id}, ${task.state}, ${what}`);
  });
};

const strayTask = (task: TaskRow, own: readonly AttemptRow[], isByHand: boolean): string[] => {
  const { state, attempt, retry_nr, retry_count, losses } = task;
  const of = (wanted: string) => own.filter((each) => each.state === wanted).length;
  const last = own.reduce((highest, { counter }) => Math.max(highest, counter), 0) || null;
  const open = own.filter(({ ended }) => ended === null).length;
  const rules: readonly [boolean, string][] = [
    [open <= 1, `has ${open} attempts at once`],
    [attempt === last, `names attempt ${attempt}, the last is ${last}`],
    [of("published") === (state === "completed" ? 1 : 0), `has ${of("published")} published attempts`],
    [retry_count < 0 || retry_nr <= retry_count, `was tried again ${retry_nr} times of ${retry_count}`],
    [
      retry_count < 0 || isByHand || of("failed") <= retry_count + 1,
      `failed ${of("failed")} times of ${retry_count + 1}`,
    ],
    [losses <= of("lost"), `counts ${losses} losses, and ${of("lost")} attempts were lost`],
  ];
  return rules.filter(([holds]) => !holds).map(([, what]) => what);
};

/** Every attempt belongs to a task and a node. */
export const strayAttempts = ({ tasks, attempts, nodes }: StoreImage): string[] => {
  const [taskIds, nodeIds] = [new Set(tasks.map(({ id }) => id)), new Set(nodes.map(({ id }) => id))];
  return attempts
    .filter(({ task_id, node_id }) => !taskIds.has(task_id) || !nodeIds.has(node_id))
    .map(({ counter }) => `attempt ${counter} belongs to nothing`);
};
