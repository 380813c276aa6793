import { AppError } from "../../shared/errors.ts";
import type { Handlers } from "../http/server.ts";
import type { Farm } from "../work/farm.ts";
import { isoOrNull, isoTime } from "../work/info.ts";
import { idOf } from "./jobs.ts";

export const taskHandlers = (farm: Farm): Pick<Handlers, "getTaskLog"> => ({
  getTaskLog: ({ task_id }) => {
    const id = idOf(task_id);
    if (!farm.stores.tasks.read(id)) throw new AppError("NOT_FOUND", `There is no task ${task_id}`);
    const items = farm.stores.attempts.readLogs(id).map(({ counter, node, state, assigned, ended, log }) => ({
      attempt: counter,
      node,
      state,
      assigned: isoTime(assigned),
      ended: isoOrNull(ended),
      log: log ?? "",
    }));
    return { items };
  },
});
