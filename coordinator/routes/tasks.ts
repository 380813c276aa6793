import { AppError } from "../../shared/errors.ts";
import type { TaskRow } from "../db/tasks.ts";
import type { Handlers } from "../http/server.ts";
import { explain } from "../work/explain.ts";
import type { Farm } from "../work/farm.ts";
import { isoOrNull, isoTime, taskInfoOf } from "../work/info.ts";
import { idOf } from "./jobs.ts";

export const taskHandlers = (farm: Farm): Pick<Handlers, "getTaskLog" | "explainTask"> => ({
  explainTask: ({ task_id }) => explain(farm, requireTask(farm, task_id)),
  getTaskLog: ({ task_id }) => {
    const row = requireTask(farm, task_id);
    const { id } = row;
    const items = farm.stores.attempts.readLogs(id).map(({ counter, node, state, assigned, ended, log }) => ({
      attempt: counter,
      node,
      state,
      assigned: isoTime(assigned),
      ended: isoOrNull(ended),
      log: log ?? "",
    }));
    const { name, kind, status } = taskInfoOf(row, farm.progress);
    return { task: { id: String(id), name, kind, status, job_id: String(row.job_id) }, items };
  },
});

const requireTask = (farm: Farm, text: string): TaskRow => {
  const row = farm.stores.tasks.read(idOf(text));
  if (!row) throw new AppError("NOT_FOUND", `There is no task ${text}`);
  return row;
};
