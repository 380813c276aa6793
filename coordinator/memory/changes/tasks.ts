import type { Fence } from "../../../shared/protocol.ts";
import { type AttemptEvent, attemptMachine } from "../../../shared/state/attempt.ts";
import { isFinal, next } from "../../../shared/state/machine.ts";
import { type TaskEvent, taskMachine } from "../../../shared/state/task.ts";
import type { Work } from "../../../shared/work.ts";
import type { ChangeOf } from "../../store/batch.ts";
import type { AttemptEnd, AttemptRow, ListingRow, TaskRow } from "../../store/rows.ts";
import { followShare } from "../job-value.ts";
import { Missing } from "../missing.ts";
import { countTask } from "../task-tally.ts";
import { listingKey } from "../values.ts";
import { rowWeight, weightOf } from "../weight.ts";
import type { Notes } from "./notes.ts";

/** Changes of tasks and of their attempts. */
export const taskChanges = ({ values, undo, put, putIn, putRow, nextId, weigh, known }: Notes) => {
  const { job } = values;
  const putTask = (change: ChangeOf<"tasks"> & { readonly job: number }, id: number): void => {
    const value = job(change.job);
    const { tasks, tally } = value;
    putRow(tasks, id, change);
    countTask(tally, change.before, change.after, undo);
    const task = change.after ?? change.before;
    if (task) followShare(value, { uid: task.element_uid, path: task.path }, undo);
  };
  const setTask = (task: TaskRow, changed: Partial<TaskRow>): TaskRow => {
    const before = job(task.job_id).tasks.get(task.id) ?? task;
    const after = { ...before, ...changed };
    putTask({ table: "tasks", key: [task.id], before, after, job: task.job_id }, task.id);
    return after;
  };

  return {
    insertTask: (row: Omit<TaskRow, "id">, work: Work): TaskRow => {
      const after = { id: nextId("tasks"), ...row };
      const change = { table: "tasks", key: [after.id], before: undefined, after, job: row.job_id } as const;
      putTask({ ...change, more: { work } }, after.id);
      weigh(rowWeight, row.job_id);
      weigh(weightOf(work));
      values.works.set(after.id, work);
      undo(() => values.works.delete(after.id));
      return after;
    },
    setTask,
    /** With its attempts. */
    removeTask: (jobId: number, id: number): void => {
      const { tasks, tally } = job(jobId);
      const before = tasks.get(id);
      put({ table: "tasks", key: [id], before, after: undefined, job: jobId }, (row) => {
        tasks.delete(id);
        if (!row) return;
        const later = [...tasks.values()].filter((task) => task.id > id);
        for (const task of later) tasks.delete(task.id);
        for (const task of [row, ...later]) tasks.set(task.id, task);
      });
      countTask(tally, before, undefined, undo);
    },
    /** A page of the files that the task found in folders. */
    insertListing: ({ id, job_id }: TaskRow, page: number, after: ListingRow): void => {
      weigh(weightOf(after));
      const change = { table: "listings", key: [id, page], before: undefined, after, job: job_id } as const;
      putIn(values.listings, listingKey(id, page), change);
    },
    /** The current task; undefined if it, its job or its batch is gone. */
    task: ({ job_id, id }: { readonly job_id: number; readonly id: number }): TaskRow | undefined => {
      const { row, tasks } = job(job_id);
      return row && tasks.get(id);
    },
    moveTask: (task: TaskRow, event: TaskEvent, changed: Partial<TaskRow> = {}): TaskRow | undefined => {
      const state = next(taskMachine, task.state, event);
      return state === undefined ? undefined : setTask(task, { ...changed, state });
    },
    /** The work of each of these tasks. */
    works: (ids: readonly number[]): Map<number, Work> => {
      const missing = ids.filter((id) => !values.works.has(id));
      if (missing.length > 0) throw new Missing({ works: missing });
      return new Map(ids.flatMap((id) => (values.works.get(id) ? [[id, values.works.get(id) as Work]] : []))); // looked at just now
    },

    attempt: (counter: number): AttemptRow | undefined =>
      known(values.attempts, counter, () => ({ attempts: [counter] })),
    /** The attempt that the fence names; undefined if it is of another epoch. */
    attemptOf: ({ counter, epoch }: Fence): AttemptRow | undefined => {
      const attempt = known(values.attempts, counter, () => ({ attempts: [counter] }));
      return attempt?.epoch === epoch ? attempt : undefined;
    },
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
  };
};
