import { next } from "../../../shared/state/machine.ts";
import { type TaskEvent, taskMachine } from "../../../shared/state/task.ts";
import type { Work } from "../../../shared/work/work.ts";
import type { ChangeOf } from "../../store/batch.ts";
import type { TaskRow } from "../../store/rows.ts";
import { updateShare } from "../job-value.ts";
import { countTask } from "../task-tally.ts";
import { estimateBytes, rowWeight } from "../weight.ts";
import type { ChangeContext } from "./change-context.ts";

/** Changes of tasks. */
export const taskChanges = ({ values, undo, put, putRow, nextId, weigh, job, expect }: ChangeContext) => {
  const putTask = (change: ChangeOf<"tasks"> & { readonly job: number }, id: number): void => {
    const value = job(change.job);
    const { tasks, tally } = value;
    putRow(tasks, id, change);
    countTask(tally, change.before, change.after, undo);
    const task = change.after ?? change.before;
    if (task) updateShare(value, { uid: task.element_uid, path: task.path }, undo);
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
      weigh(estimateBytes(work));
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
      expect({ works: ids });
      return new Map(ids.flatMap((id) => (values.works.get(id) ? [[id, values.works.get(id) as Work]] : []))); // looked at just now
    },
  };
};
