import { type AttemptEvent, attemptMachine } from "../../shared/state/attempt.ts";
import { type ElementRunEvent, elementRunMachine } from "../../shared/state/element-run.ts";
import { isFinal, next } from "../../shared/state/machine.ts";
import { type TaskEvent, taskMachine } from "../../shared/state/task.ts";
import type { Work } from "../../shared/work.ts";
import type { Change, Key } from "../store/batch.ts";
import {
  type AttemptEnd,
  type AttemptRow,
  type DefinitionRow,
  type ElementRunRow,
  type FactsRow,
  type JobRow,
  type JobSchedule,
  type NodeRow,
  noSchedule,
  type SubmissionName,
  type SubmissionRow,
  type TableName,
  type Tables,
  type TaskRow,
  waitingRun,
} from "../store/rows.ts";
import { type JobValue, Missing, submissionId, type Values } from "./values.ts";
import { rowWeight, weightOf } from "./weight.ts";

/** How many warnings a job keeps. */
const maxWarnings = 200;

type Put<N extends TableName> = {
  readonly table: N;
  readonly key: Key;
  readonly before: Tables[N] | undefined;
  readonly after: Tables[N] | undefined;
  readonly job?: number | undefined;
  readonly more?: Readonly<Record<string, unknown>> | undefined;
};

export type Draft = ReturnType<typeof createDraft>;

/**
 * One decision: what it changes in memory, how that is taken back, and what follows once it is durable. A task, a run or
 * an attempt moves by its machine alone; `undefined` says that the event means nothing in its state.
 */
export const createDraft = (values: Values) => {
  const changes: Change[] = [];
  const undos: (() => void)[] = [];
  const effects: (() => void)[] = [];
  const touched = new Set<number>();
  let large = 0;

  /** Notes the change and carries it out in memory. */
  const put = <N extends TableName>(change: Put<N>, assign: (row: Tables[N] | undefined) => void): void => {
    changes.push(change as Change); // the same shape: one table's row before and after
    undos.push(() => assign(change.before));
    assign(change.after);
  };
  const putIn = <K, N extends TableName>(map: Map<K, Tables[N] | undefined>, id: K, change: Put<N>): void => {
    const wasThere = map.has(id);
    put(change, (row) => {
      if (row === undefined && !wasThere) map.delete(id);
      else map.set(id, row);
    });
  };
  /** Counts what is larger than a row, for the batch and for the job that keeps it. */
  const weigh = (bytes: number, jobId?: number): void => {
    large += bytes;
    if (jobId !== undefined) values.grow(jobId, bytes);
  };
  const nextId = (name: keyof Values["counters"]): number => {
    const before = values.counters[name];
    undos.push(() => {
      values.counters[name] = before;
    });
    values.counters[name] = before + 1;
    return before + 1;
  };

  const job = (id: number): JobValue => values.job(id);
  const setJob = (id: number, changed: Partial<JobRow>): void => {
    const value = job(id);
    const before = value.row;
    if (!before || isSame(before, changed)) return;
    put({ table: "jobs", key: [id], before, after: { ...before, ...changed }, job: id }, (row) => {
      value.row = row;
    });
  };
  const setTask = (task: TaskRow, changed: Partial<TaskRow>): TaskRow => {
    const value = job(task.job_id);
    const before = value.tasks.get(task.id) ?? task;
    const after = { ...before, ...changed };
    putIn(value.tasks as Map<number, TaskRow | undefined>, task.id, {
      ...{ table: "tasks", key: [task.id], before, after, job: value.id },
    });
    return after;
  };
  const setRun = (jobId: number, uid: string, changed: Partial<ElementRunRow>): void => {
    const { runs } = job(jobId);
    const before = runs.get(uid);
    if (!before) return;
    const after = { ...before, ...changed };
    // A run that waits has no row yet.
    const change = {
      table: "runs",
      key: [jobId, uid],
      before: before.state === "waiting" ? undefined : before,
      after,
    } as const;
    if (changed.assets) weigh(weightOf(changed.assets), jobId);
    put({ ...change, job: jobId }, (row) => runs.set(uid, row ?? before));
  };
  const known = <K, T>(map: Map<K, T | undefined>, id: K, needs: () => Missing["needs"]): T | undefined => {
    if (!map.has(id)) throw new Missing(needs());
    return map.get(id);
  };

  return {
    changes,
    undos,
    effects,
    touched,
    /** About how many bytes its changes take until they are durable. */
    weight: (): number => rowWeight * changes.length + large,
    /** The job's state is derived again before the decision ends. */
    touch: (jobId: number): void => {
      touched.add(jobId);
    },
    /** Runs once the decision is durable; it must carry its data. */
    after: (effect: () => void): void => {
      effects.push(effect);
    },
    /** Something else in memory was changed: this takes it back. */
    undo: (undo: () => void): void => {
      undos.push(undo);
    },

    job,
    setJob,
    insertJob: (row: Omit<JobRow, "id">, definition: DefinitionRow): number => {
      const id = nextId("jobs");
      const runs = new Map(definition.elements.map((spec) => [spec.uid, waitingRun(spec)]));
      const { connections, warnings } = definition;
      const rows = { row: undefined, schedule: noSchedule, runs, tasks: new Map() };
      const value: JobValue = { id, connections, warnings, ...rows };
      values.addJob(value);
      weigh(weightOf(definition));
      undos.push(() => values.forgetJob(id));
      put({ table: "jobs", key: [id], before: undefined, after: { id, ...row }, job: id }, (after) => {
        value.row = after;
      });
      put({ table: "definitions", key: [id], before: undefined, after: definition, job: id }, () => undefined);
      return id;
    },
    /** Its tasks and runs go with it. */
    removeJob: (id: number): boolean => {
      const value = job(id);
      if (!value.row) return false;
      values.noteGone(id);
      put({ table: "jobs", key: [id], before: value.row, after: undefined, job: id }, (row) => {
        value.row = row;
      });
      return true;
    },
    /** Adds to the warnings what is not there yet. */
    warn: (id: number, warnings: readonly string[]): void => {
      const value = job(id);
      const before = value.warnings;
      const after = [...new Set([...before, ...warnings])].slice(0, maxWarnings);
      if (after.length === before.length) return;
      put({ table: "warnings", key: [id], before, after, job: id }, (row) => {
        value.warnings = row ?? before;
      });
    },
    setSchedule: (id: number, changed: Partial<JobSchedule>): void => {
      const value = job(id);
      const before = value.schedule;
      const after = { ...before, ...changed };
      const stored = before === noSchedule ? undefined : before;
      put({ table: "schedules", key: [id], before: stored, after, job: id }, (row) => {
        value.schedule = row ?? noSchedule;
      });
    },

    moveRun: (
      jobId: number,
      uid: string,
      event: ElementRunEvent,
      more: Partial<Pick<ElementRunRow, "assets" | "failure">> = {},
    ): boolean => {
      const run = job(jobId).runs.get(uid);
      const state = run && next(elementRunMachine, run.state, event);
      if (state === undefined) return false;
      setRun(jobId, uid, { state, ...more });
      return true;
    },
    setRun,
    /** The element waits as if nothing had been done for it. */
    resetRun: (jobId: number, uid: string): void => {
      const { runs } = job(jobId);
      const before = runs.get(uid);
      if (!before || before.state === "waiting") return;
      const change = { table: "runs", key: [jobId, uid], before, after: undefined, job: jobId } as const;
      put(change, (row) => runs.set(uid, row ?? waitingRun(before.spec)));
    },

    insertTask: (row: Omit<TaskRow, "id">, work: Work): TaskRow => {
      const { tasks } = job(row.job_id);
      const after = { id: nextId("tasks"), ...row };
      const change = { table: "tasks", key: [after.id], before: undefined, after, job: row.job_id } as const;
      putIn(tasks as Map<number, TaskRow | undefined>, after.id, { ...change, more: { work } });
      weigh(rowWeight, row.job_id);
      weigh(weightOf(work));
      values.works.set(after.id, work);
      undos.push(() => values.works.delete(after.id));
      return after;
    },
    setTask,
    /** With its attempts. */
    removeTask: (jobId: number, id: number): void => {
      const { tasks } = job(jobId);
      const change = { table: "tasks", key: [id], before: tasks.get(id), after: undefined, job: jobId } as const;
      put(change, (row) => {
        tasks.delete(id);
        if (!row) return;
        const later = [...tasks.values()].filter((task) => task.id > id);
        for (const task of later) tasks.delete(task.id);
        for (const task of [row, ...later]) tasks.set(task.id, task);
      });
    },
    /** The task as it is now; undefined where it, or its job, is gone. */
    task: ({ job_id, id }: { readonly job_id: number; readonly id: number }): TaskRow | undefined => {
      const { row, tasks } = job(job_id);
      return row && tasks.get(id);
    },
    moveTask: (task: TaskRow, event: TaskEvent, changed: Partial<TaskRow> = {}): TaskRow | undefined => {
      const state = next(taskMachine, task.state, event);
      return state === undefined ? undefined : setTask(task, { ...changed, state });
    },
    /** What each of these tasks has to do. */
    works: (ids: readonly number[]): Map<number, Work> => {
      const missing = ids.filter((id) => !values.works.has(id));
      if (missing.length > 0) throw new Missing({ works: missing });
      return new Map(ids.flatMap((id) => (values.works.get(id) ? [[id, values.works.get(id) as Work]] : []))); // looked at just now
    },

    attempt: (counter: number): AttemptRow | undefined =>
      known(values.attempts, counter, () => ({ attempts: [counter] })),
    insertAttempt: (row: Omit<AttemptRow, "counter" | "state" | "ended">): AttemptRow => {
      const after: AttemptRow = { counter: nextId("attempts"), ...row, state: "assigned", ended: null };
      const change = { table: "attempts", key: [after.counter], before: undefined, after, job: row.job_id } as const;
      putIn(values.attempts, after.counter, change);
      return after;
    },
    moveAttempt: (
      before: AttemptRow,
      event: AttemptEvent,
      now: number,
      end: AttemptEnd = {},
    ): AttemptRow | undefined => {
      const state = next(attemptMachine, before.state, event);
      if (state === undefined) return undefined;
      const after = { ...before, state, ended: isFinal(attemptMachine, state) ? now : before.ended };
      const change = { table: "attempts", key: [before.counter], before, after, job: before.job_id } as const;
      putIn(values.attempts, before.counter, { ...change, more: { ...end } });
      return after;
    },

    node: (id: number): NodeRow | undefined => values.nodes.get(id),
    insertNode: (row: Omit<NodeRow, "id">): NodeRow => {
      const after = { id: nextId("nodes"), ...row };
      putIn(values.nodes as Map<number, NodeRow | undefined>, after.id, {
        ...{ table: "nodes", key: [after.id], before: undefined, after },
      });
      return after;
    },
    setNode: (before: NodeRow, changed: Partial<NodeRow>): NodeRow => {
      const after = { ...before, ...changed };
      putIn(values.nodes as Map<number, NodeRow | undefined>, before.id, {
        ...{ table: "nodes", key: [before.id], before, after },
      });
      return after;
    },
    /** A row of a small table that is in memory as a whole; undefined takes it away. */
    setRow: <N extends "groups" | "limits">(
      table: N,
      map: Map<string, Tables[N]>,
      key: string,
      after: Tables[N] | undefined,
    ) =>
      put({ table, key: [key], before: map.get(key), after }, (row) => {
        if (row) map.set(key, row);
        else map.delete(key);
      }),

    facts: (uri: string): FactsRow | undefined => known(values.facts, uri, () => ({ facts: [uri] })),
    setFacts: (uri: string, after: FactsRow): void => {
      const before = known(values.facts, uri, () => ({ facts: [uri] }));
      putIn(values.facts, uri, { table: "facts", key: [uri], before, after });
    },
    submission: (name: SubmissionName): SubmissionRow | undefined =>
      known(values.submissions, submissionId(name), () => ({ submissions: [name] })),
    setSubmission: (name: SubmissionName, after: SubmissionRow): void => {
      const before = values.submissions.get(submissionId(name));
      putIn(values.submissions, submissionId(name), { table: "submissions", key: [name.who, name.key], before, after });
    },
  };
};

const isSame = (row: JobRow, changed: Partial<JobRow>): boolean =>
  Object.entries(changed).every(([column, value]) => row[column as keyof JobRow] === value); // a row's own columns
