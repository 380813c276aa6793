import { redactText } from "../../shared/credentials/redact.ts";
import type { AttemptRecord } from "../../shared/model/attempt.ts";
import { shellCommand } from "../../shared/texts/shell.ts";
import type { Attempts } from "../attempts/attempts.ts";
import { printInPieces } from "../http/answers/printed-answers.ts";
import type { Handlers } from "../http/server.ts";
import { isoOrNull, isoTime } from "../iso-time.ts";
import type { AttemptLog } from "../store/job-reads.ts";
import { fenceOf } from "../store/rows.ts";
import { explain } from "../views/explain.ts";
import { buildTaskInfo } from "../views/job-info.ts";
import { requireTask } from "./jobs.ts";

export const taskHandlers = (farm: Attempts) =>
  ({
    explainTask: async ({ task_id }, { reach }) => explain(farm, await requireTask(farm, task_id), reach),
    getTaskLog: async ({ task_id }) => {
      const row = await requireTask(farm, task_id);
      const { id } = row;
      const attempts = await farm.store.jobs.logs(id);
      const items = await Promise.all(attempts.map((attempt) => recordOf(farm, attempt)));
      const { name, kind, status } = buildTaskInfo(row, farm.progress);
      const task = { id: String(id), name, kind, status, job_id: String(row.job_id) };
      return printInPieces(farm.timeSlice, { task, items });
    },
  }) satisfies Partial<Handlers>;

const recordOf = async (farm: Pick<Attempts, "registry" | "liveLogs">, attempt: AttemptLog): Promise<AttemptRecord> => {
  const { counter, node, state, assigned, ended, failure, stats, log } = attempt;
  return {
    attempt: counter,
    node,
    state,
    assigned: isoTime(assigned),
    ended: isoOrNull(ended),
    cost: costOf(stats),
    reached: stats?.reached ? { percent: stats.reached.percent ?? null, speed: stats.reached.speed ?? null } : null,
    failure: failure
      ? {
          cause: failure.cause,
          message: redactText(failure.message),
          command: failure.argv ? redactText(shellCommand(failure.argv)) : null,
          exit_code: failure.exitCode ?? null,
        }
      : null,
    log: log ?? (await soFar(farm, attempt)),
  };
};

const costOf = (stats: AttemptLog["stats"]): AttemptRecord["cost"] =>
  stats?.wallMs === undefined
    ? null
    : { wall_ms: stats.wallMs, cpu_ms: stats.cpuMs ?? null, peak_memory: stats.peakMemory ?? null };

/** The log of a running attempt so far; asks its node. */
const soFar = async (farm: Pick<Attempts, "registry" | "liveLogs">, attempt: AttemptLog): Promise<string> => {
  const { node_id: nodeId, ended } = attempt;
  if (ended !== null || !farm.registry.isHeld(nodeId, fenceOf(attempt))) return "";
  // A computer that sleeps says nothing more; what it said before is known.
  if (!farm.registry.isConnected(nodeId)) return farm.liveLogs.known(fenceOf(attempt));
  return farm.liveLogs.look(nodeId, fenceOf(attempt));
};
