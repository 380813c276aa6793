import type { Failure } from "../../shared/causes.ts";
import type { Weight } from "../../shared/elements/element.ts";
import { sourcesOf } from "../../shared/state/machine.ts";
import { type TaskEvent, type TaskState, taskMachine } from "../../shared/state/task.ts";
import type { Intent, Published, Work } from "../../shared/work.ts";
import type { Db } from "./open.ts";

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
  readonly readyTime: number;
};

export type TaskRow = {
  readonly id: number;
  readonly job_id: number;
  readonly element_uid: string;
  readonly uid: string;
  readonly name: string;
  readonly kind: string;
  readonly purpose: "facts" | "work";
  readonly state: TaskState;
  readonly priority: number;
  readonly retry_count: number;
  readonly retry_delay_sec: number;
  readonly retry_nr: number;
  readonly losses: number;
  readonly attempt: number | null;
  readonly creation_time: number;
  readonly ready_time: number;
  readonly start_time: number | null;
  readonly end_time: number | null;
  readonly node_id: number | null;
  readonly failure: Failure | undefined;
  readonly intent: Intent | undefined;
  readonly published: Published | undefined;
};

/** What a job's state and graph depend on: without the documents that a task carries. */
export type TaskView = Pick<TaskRow, "id" | "element_uid" | "purpose" | "state" | "start_time" | "failure">;
type RawView = Omit<TaskView, "failure"> & { readonly failure: string | null };

type Raw = Omit<TaskRow, "failure" | "intent" | "published"> & {
  readonly failure: string | null;
  readonly intent: string | null;
  readonly published: string | null;
};

type RawOpen = Omit<OpenTask, "tags" | "requires"> & { readonly tags: string; readonly requires: string };

export type NewTask = {
  readonly jobId: number;
  readonly elementUid: string;
  readonly uid: string;
  readonly name: string;
  readonly kind: string;
  readonly purpose: "facts" | "work";
  readonly priority: number | undefined;
  readonly tags: readonly string[];
  readonly requires: readonly string[];
  readonly weight: Weight;
  readonly work: Work;
  readonly retry: { readonly count: number; readonly delaySec: number };
  readonly now: number;
};

/** What a transition writes beside the state; what is absent stays. */
export type TaskChange = {
  readonly attempt?: number;
  readonly intent?: Intent;
  readonly failure?: Failure;
  readonly published?: Published;
  readonly retryNr?: number;
  readonly losses?: number;
  readonly readyTime?: number;
  readonly startTime?: number;
  readonly endTime?: number;
};

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
const parsed = (text: string | null) => (text === null ? undefined : JSON.parse(text));
const read = (raw: Raw): TaskRow => ({
  ...raw,
  failure: parsed(raw.failure),
  intent: parsed(raw.intent),
  published: parsed(raw.published),
});
const readOpen = (raw: RawOpen): OpenTask => ({
  ...raw,
  tags: JSON.parse(raw.tags),
  requires: JSON.parse(raw.requires),
});

const columns = `tasks.id, tasks.job_id, element_uid, uid, tasks.name, kind, purpose, tasks.state,
  coalesce(tasks.priority, jobs.priority) AS priority, retry_count, retry_delay_sec, retry_nr, losses, attempt,
  tasks.creation_time, ready_time, tasks.start_time, tasks.end_time, attempts.node_id,
  tasks.failure, intent, published`;
const from = "FROM tasks JOIN jobs ON jobs.id = job_id LEFT JOIN attempts ON attempts.counter = attempt";
const openColumns = `tasks.id, job_id AS jobId, tasks.name, state, coalesce(tasks.priority, jobs.priority) AS priority,
  tags, requires, weight, ready_time AS readyTime`;

export const createTaskStore = ({ writer, point }: Db) => {
  const insert = writer.prepare<unknown[], { id: number }>(
    `INSERT INTO tasks (job_id, element_uid, uid, name, kind, purpose, state, priority, tags, requires, weight, work,
       retry_count, retry_delay_sec, creation_time, ready_time)
     VALUES (?, ?, ?, ?, ?, ?, 'ready', ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  );
  const get = `SELECT ${columns} ${from} WHERE tasks.id = ?`;
  const ofJob = `SELECT ${columns} ${from} WHERE job_id = ? ORDER BY tasks.id`;
  const current = writer.prepare<[number], Raw>(get);
  const committed = point.prepare<[number], Raw>(get);
  const factsOf = writer.prepare<[number, string], Raw>(
    `SELECT ${columns} ${from} WHERE job_id = ? AND element_uid = ? AND purpose = 'facts' ORDER BY tasks.id`,
  );
  const currentOfJob = writer.prepare<[number], Raw>(ofJob);
  const committedOfJob = point.prepare<[number], Raw>(ofJob);
  const views = writer.prepare<[number], RawView>(
    "SELECT id, element_uid, purpose, state, start_time, failure FROM tasks WHERE job_id = ? ORDER BY id",
  );
  const work = writer.prepare<[number], { work: string }>("SELECT work FROM tasks WHERE id = ?");
  const open = writer.prepare<[number], RawOpen>(
    `SELECT ${openColumns} FROM tasks JOIN jobs ON jobs.id = job_id WHERE tasks.id = ?`,
  );
  const allOpen = writer.prepare<[], RawOpen>(
    `SELECT ${openColumns} FROM tasks JOIN jobs ON jobs.id = job_id
     WHERE state IN ('ready', 'delayed', 'running', 'committing') ORDER BY tasks.id`,
  );
  const move = writer.prepare(
    `UPDATE tasks SET state = @to,
       attempt = coalesce(@attempt, attempt), intent = coalesce(@intent, intent),
       failure = coalesce(@failure, failure),
       published = coalesce(@published, published),
       retry_nr = coalesce(@retryNr, retry_nr), losses = coalesce(@losses, losses),
       ready_time = coalesce(@readyTime, ready_time), start_time = coalesce(start_time, @startTime),
       end_time = coalesce(@endTime, end_time)
     WHERE id = @id AND state IN (SELECT value FROM json_each(@from))`,
  );
  const setIntent = writer.prepare("UPDATE tasks SET intent = ? WHERE id = ?");

  return {
    insert: (task: NewTask): number =>
      // RETURNING on an INSERT of one row gives one row.
      (
        insert.get(
          task.jobId,
          task.elementUid,
          task.uid,
          task.name,
          task.kind,
          task.purpose,
          task.priority ?? null,
          JSON.stringify(task.tags),
          JSON.stringify(task.requires),
          task.weight,
          JSON.stringify(task.work),
          task.retry.count,
          task.retry.delaySec,
          task.now,
          task.now,
        ) as { id: number }
      ).id,
    /** Inside a commit. */
    get: (id: number): TaskRow | undefined => mapped(current.get(id)),
    /** An element's tasks that gather facts for it. */
    factsOf: (jobId: number, uid: string): TaskRow[] => factsOf.all(jobId, uid).map(read),
    ofJob: (jobId: number): TaskRow[] => currentOfJob.all(jobId).map(read),
    viewsOfJob: (jobId: number): TaskView[] =>
      views.all(jobId).map((raw) => ({ ...raw, failure: parsed(raw.failure) })),
    work: (id: number): Work | undefined => parsed(work.get(id)?.work ?? null),
    open: (id: number): OpenTask | undefined => {
      const raw = open.get(id);
      return raw && readOpen(raw);
    },
    allOpen: (): OpenTask[] => allOpen.all().map(readOpen),
    /** Outside of one. */
    read: (id: number): TaskRow | undefined => mapped(committed.get(id)),
    readOfJob: (jobId: number): TaskRow[] => committedOfJob.all(jobId).map(read),
    setIntent: (id: number, intent: Intent): void => {
      setIntent.run(JSON.stringify(intent), id);
    },
    /** False where the event means nothing in the task's present state: someone else was first. */
    move: (task: { id: number; state: TaskState }, event: TaskEvent, change: TaskChange = {}): boolean => {
      const to = taskMachine[task.state][event];
      if (to === undefined) return false;
      return (
        move.run({
          id: task.id,
          to,
          from: JSON.stringify(sourcesOf(taskMachine, event)),
          attempt: change.attempt ?? null,
          intent: json(change.intent),
          failure: json(change.failure),
          published: json(change.published),
          retryNr: change.retryNr ?? null,
          losses: change.losses ?? null,
          readyTime: change.readyTime ?? null,
          startTime: change.startTime ?? null,
          endTime: change.endTime ?? null,
        }).changes > 0
      );
    },
  };
};

const mapped = (raw: Raw | undefined): TaskRow | undefined => raw && read(raw);
