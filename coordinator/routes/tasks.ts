import type { AttemptRecord } from "../../shared/attempt.ts";
import { AppError } from "../../shared/errors.ts";
import { redactText } from "../../shared/redact.ts";
import type { Handlers } from "../http/server.ts";
import type { AttemptLog, ReadTask } from "../store/job-reads.ts";
import { fenceOf } from "../store/rows.ts";
import { explain } from "../work/explain.ts";
import type { Farm } from "../work/farm.ts";
import { isoOrNull, isoTime, taskInfoOf } from "../work/info.ts";
import { idOf } from "./jobs.ts";

export const taskHandlers = (farm: Farm) =>
  ({
    explainTask: async ({ task_id }) => explain(farm, await requireTask(farm, task_id)),
    getTaskLog: async ({ task_id }) => {
      const row = await requireTask(farm, task_id);
      const { id } = row;
      const attempts = await farm.store.jobs.logs(id);
      const items = await Promise.all(attempts.map((attempt) => recordOf(farm, attempt)));
      const { name, kind, status } = taskInfoOf(row, farm.progress);
      return { task: { id: String(id), name, kind, status, job_id: String(row.job_id) }, items };
    },
  }) satisfies Partial<Handlers>;

const recordOf = async (farm: Farm, attempt: AttemptLog): Promise<AttemptRecord> => {
  const { counter, node, state, assigned, ended, failure, stats, log } = attempt;
  return {
    attempt: counter,
    node,
    state,
    assigned: isoTime(assigned),
    ended: isoOrNull(ended),
    cost: stats ? { wall_ms: stats.wallMs, cpu_ms: stats.cpuMs ?? null, peak_memory: stats.peakMemory ?? null } : null,
    failure: failure
      ? {
          cause: failure.cause,
          message: redactText(failure.message),
          command: failure.argv ? redactText(failure.argv.join(" ")) : null,
          exit_code: failure.exitCode ?? null,
        }
      : null,
    log: log ?? (await soFar(farm, attempt)),
  };
};

/** The log of a running attempt so far; asks its node. */
const soFar = async (farm: Farm, attempt: AttemptLog): Promise<string> => {
  const { node_id: nodeId, ended } = attempt;
  if (ended !== null || !farm.registry.isConnected(nodeId) || !farm.registry.isHeld(nodeId, fenceOf(attempt)))
    return "";
  return farm.tails.look(nodeId, fenceOf(attempt));
};

export const requireTask = async (farm: Farm, text: string): Promise<ReadTask> => {
  const row = await farm.store.jobs.task(idOf(text));
  if (!row) throw new AppError("NOT_FOUND", `There is no task ${text}`);
  return row;
};
