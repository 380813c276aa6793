import type { Failure } from "../../shared/causes.ts";
import type { Demand } from "../../shared/demand.ts";
import type { Weight } from "../../shared/elements/element.ts";
import { type TaskEvent, type TaskState, taskMachine } from "../../shared/state/task.ts";
import type { Intent, Published, Work } from "../../shared/work.ts";
import { json, parsed } from "./json.ts";
import type { Db } from "./open.ts";
import { type OpenTask, openTaskOf } from "./open-tasks.ts";
import { createUpdate } from "./update.ts";

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
  readonly tags: readonly string[];
  readonly requires: readonly string[];
  readonly weight: Weight;
  readonly demand: Demand;
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

type Raw = Omit<TaskRow, "tags" | "requires" | "demand" | "failure" | "intent" | "published"> & {
  readonly tags: string;
  readonly requires: string;
  readonly demand: string;
  readonly failure: string | null;
  readonly intent: string | null;
  readonly published: string | null;
};

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
  readonly demand: Demand;
  readonly work: Work;
  readonly retry: { readonly count: number; readonly delaySec: number };
  readonly now: number;
  /** In the farm's time. */
  readonly readyTime: number;
};

/** What a transition writes beside the state; what is absent stays. */
export type TaskChange = {
  readonly attempt?: { readonly counter: number; readonly node_id: number };
  readonly intent?: Intent;
  readonly failure?: Failure;
  readonly published?: Published;
  readonly retryNr?: number;
  readonly losses?: number;
  readonly readyTime?: number;
  readonly startTime?: number;
  readonly endTime?: number;
};

const read = (raw: Raw): TaskRow => ({
  ...raw,
  tags: JSON.parse(raw.tags),
  requires: JSON.parse(raw.requires),
  demand: JSON.parse(raw.demand),
  failure: parsed(raw.failure),
  intent: parsed(raw.intent),
  published: parsed(raw.published),
});
const columns = `tasks.id, tasks.job_id, element_uid, uid, tasks.name, kind, purpose, tasks.state,
  coalesce(tasks.priority, jobs.priority) AS priority, tags, requires, weight, demand,
  retry_count, retry_delay_sec, retry_nr, losses, attempt,
  tasks.creation_time, ready_time, tasks.start_time, tasks.end_time, attempts.node_id,
  tasks.failure, intent, published`;
const from = "FROM tasks JOIN jobs ON jobs.id = job_id LEFT JOIN attempts ON attempts.counter = attempt";

export const createTaskStore = ({ writer, point, memo }: Db) => {
  const insert = writer.prepare(
    `INSERT INTO tasks (job_id, element_uid, uid, name, kind, purpose, state, priority, tags, requires, weight, demand, work,
       retry_count, retry_delay_sec, creation_time, ready_time)
     VALUES (?, ?, ?, ?, ?, ?, 'ready', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const one = `SELECT ${columns} ${from} WHERE tasks.id = ?`;
  const all = `SELECT ${columns} ${from} WHERE job_id = ? ORDER BY tasks.id`;
  const current = writer.prepare<[number], Raw>(one);
  const committed = point.prepare<[number], Raw>(one);
  const currentOfJob = writer.prepare<[number], Raw>(all);
  const committedOfJob = point.prepare<[number], Raw>(all);
  const work = writer.prepare<[number], { work: string }>("SELECT work FROM tasks WHERE id = ?");
  const once = { start_time: "coalesce(start_time, ?)", end_time: "coalesce(end_time, ?)" };
  const move = createUpdate<Column>(writer, "tasks", "id = ? AND state = ?", once);
  const setTags = writer.prepare("UPDATE tasks SET tags = ? WHERE id = ?");
  const setIntent = writer.prepare("UPDATE tasks SET intent = ? WHERE id = ?");

  const ofJob = (jobId: number): readonly TaskRow[] => {
    const known = memo.of(jobId);
    if (!known.tasks) {
      known.tasks = new Map();
      for (const raw of currentOfJob.all(jobId)) memo.putTask(jobId, read(raw));
    }
    return [...known.tasks.values()];
  };
  const readWork = (id: number): Work | undefined => {
    const found: Work | undefined = parsed(work.get(id)?.work ?? null);
    if (found) memo.works.set(id, found);
    return found;
  };
  const get = (id: number): TaskRow | undefined => memo.ofTask(id)?.tasks?.get(id) ?? mapped(current.get(id));
  /** What was written of the task, where it is known. */
  const remember = (id: number, written: (before: TaskRow) => Partial<TaskRow>): void => {
    const before = memo.ofTask(id)?.tasks?.get(id);
    if (before) memo.putTask(before.job_id, { ...before, ...written(before) });
  };

  return {
    insert: (task: NewTask): number => {
      const { lastInsertRowid } = insert.run(
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
        JSON.stringify(task.demand),
        JSON.stringify(task.work),
        task.retry.count,
        task.retry.delaySec,
        task.now,
        task.readyTime,
      );
      const id = Number(lastInsertRowid);
      memo.works.set(id, task.work);
      const known = memo.of(task.jobId);
      const priority = task.priority ?? known.row?.priority;
      if (priority === undefined) memo.forget(task.jobId);
      else memo.putTask(task.jobId, newRow(id, task, priority));
      return id;
    },
    /** Inside a commit, or right after it. */
    get,
    /** Inside a commit: oldest first. */
    ofJob,
    /** Inside a commit, or right after it. */
    work: (id: number): Work | undefined => memo.works.get(id) ?? readWork(id),
    /** What scheduling needs of it. */
    open: (id: number): OpenTask | undefined => {
      const row = get(id);
      return row && openTaskOf(row);
    },
    /** Outside of a commit. */
    read: (id: number): TaskRow | undefined => mapped(committed.get(id)),
    readOfJob: (jobId: number): TaskRow[] => committedOfJob.all(jobId).map(read),
    setTags: (id: number, tags: readonly string[]): void => {
      setTags.run(JSON.stringify(tags), id);
      remember(id, () => ({ tags }));
    },
    setIntent: (id: number, intent: Intent): void => {
      setIntent.run(JSON.stringify(intent), id);
      remember(id, () => ({ intent }));
    },
    /** False where the event means nothing in the task's present state: someone else was first. */
    move: (task: { id: number; state: TaskState }, event: TaskEvent, change: TaskChange = {}): boolean => {
      const to = taskMachine[task.state][event];
      if (to === undefined) return false;
      const changes = move({ state: to, ...columnsOf(change) }, task.id, task.state);
      if (changes > 0) remember(task.id, (before) => ({ state: to, ...writtenBy(change, before) }));
      return changes > 0;
    },
  };
};

const mapped = (raw: Raw | undefined): TaskRow | undefined => raw && read(raw);

const newRow = (id: number, task: NewTask, priority: number): TaskRow => ({
  id,
  job_id: task.jobId,
  element_uid: task.elementUid,
  uid: task.uid,
  name: task.name,
  kind: task.kind,
  purpose: task.purpose,
  state: "ready",
  priority,
  tags: task.tags,
  requires: task.requires,
  weight: task.weight,
  demand: task.demand,
  retry_count: task.retry.count,
  retry_delay_sec: task.retry.delaySec,
  retry_nr: 0,
  losses: 0,
  attempt: null,
  creation_time: task.now,
  ready_time: task.readyTime,
  start_time: null,
  end_time: null,
  node_id: null,
  failure: undefined,
  intent: undefined,
  published: undefined,
});

type Column = "state" | keyof ReturnType<typeof columnsOf>;

const columnsOf = ({ attempt, intent, failure, published, ...plain }: TaskChange) => ({
  attempt: attempt?.counter,
  intent: json(intent),
  failure: json(failure),
  published: json(published),
  retry_nr: plain.retryNr,
  losses: plain.losses,
  ready_time: plain.readyTime,
  start_time: plain.startTime,
  end_time: plain.endTime,
});

/** The same as the statement writes: what is absent stays, and a task starts once. */
const writtenBy = (change: TaskChange, before: TaskRow): Partial<TaskRow> => {
  const { attempt, retryNr, losses, readyTime, startTime, endTime, intent, failure, published } = change;
  return {
    ...(attempt && { attempt: attempt.counter, node_id: attempt.node_id }),
    ...(intent && { intent }),
    ...(failure && { failure }),
    ...(published && { published }),
    ...(retryNr !== undefined && { retry_nr: retryNr }),
    ...(losses !== undefined && { losses }),
    ...(readyTime !== undefined && { ready_time: readyTime }),
    ...(startTime !== undefined && { start_time: before.start_time ?? startTime }),
    ...(endTime !== undefined && { end_time: endTime }),
  };
};
