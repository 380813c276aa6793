import { redactText } from "../../../shared/credentials/redact.ts";
import { causes, type Failure } from "../../../shared/model/failure.ts";
import { isSimulated } from "../../attempts/simulated-tasks.ts";
import { isoOrNull } from "../../iso-time.ts";
import type { TaskRow } from "../../store/rows.ts";
import type { AttemptOfJob } from "./attempts.ts";

/**
 * Every failed run of a task. A failure that a retry or another node fixed stays listed as recoverable. Tasks ended
 * because another failed are listed too, but not tasks of a stopped job.
 */
export const buildErrors = (task: TaskRow, attempts: readonly AttemptOfJob[], isStopped: boolean): object[] => {
  const runs = attempts.flatMap(({ failure, ...attempt }) =>
    failure && attempt.state !== "cancelled" ? [errorOf(task, failure, attempt)] : [],
  );
  return [...runs, ...withoutRun(task, attempts, isStopped)].map((error, index, all) => ({
    ...error,
    recoverable_error: task.state === "failed" && index === all.length - 1 ? 0 : 1,
  }));
};

/** A task that failed without running: it could not be planned, no node could run it, or somebody stopped it. */
const withoutRun = (task: TaskRow, attempts: readonly AttemptOfJob[], isStopped: boolean) => {
  const { failure, state } = task;
  const isTold = attempts.some(
    (attempt) => attempt.failure?.message === failure?.message && attempt.state === "failed",
  );
  if (!failure || isTold || (state !== "failed" && attempts.length > 0)) return [];
  if (failure.cause === "cancelled") return isStopped ? [errorOf(task, failure, attempts.at(-1))] : [];
  return isSimulated(task) ? simulatedRuns(task, failure) : [errorOf(task, failure, attempts.at(-1))];
};

/** Tasks of api_test jobs have no attempts: their failed runs are those that were retried, and perhaps the last. */
const simulatedRuns = (task: TaskRow, failure: Failure) => {
  const isOver = task.state === "failed";
  return Array.from({ length: task.retry_nr + (isOver ? 1 : 0) }, (_, retryNr) => ({
    ...errorOf(task, failure, undefined),
    retry_nr: retryNr,
    assigned: isoOrNull(retryNr === 0 ? task.start_time : null),
    result_committed: isoOrNull(isOver && retryNr === task.retry_nr ? task.end_time : null),
  }));
};

type Run = Pick<AttemptOfJob, "node_id" | "assigned" | "ended" | "retryNr">;

const errorOf = (task: TaskRow, failure: Failure, run: Run | undefined) => ({
  task_instance_id: task.id,
  retry_nr: run?.retryNr ?? task.retry_nr,
  machine_fetcher_id: run?.node_id ?? task.node_id,
  result_define: defines[failure.cause],
  cause: failure.cause,
  message: redactText(failure.message),
  details: redactText(failure.stderr ?? ""),
  diagnostic: redactText(failure.argv?.join(" ") ?? ""),
  exit_code: failure.exitCode ?? null,
  advice: causes[failure.cause].advice,
  assigned: isoOrNull(run?.assigned ?? task.start_time),
  result_committed: isoOrNull(run?.ended ?? task.end_time),
});

/** The names by which clients know causes. */
const defines = {
  definition: "SYS_TSK_DEFINITION_ERROR",
  source: "SYS_TSK_SOURCE_ERROR",
  storage: "SYS_TSK_STORAGE_ERROR",
  capability: "SYS_TSK_CAPABILITY_ERROR",
  resources: "SYS_TSK_RESOURCES_ERROR",
  machine: "SYS_TSK_MACHINE_ERROR",
  timeout: "SYS_TSK_TIMEOUT_ERROR",
  media: "SYS_TSK_FFMPEG_ERROR",
  file: "SYS_TSK_FILE_ERROR",
  quality: "SYS_TSK_QC_ERROR",
  receiver: "SYS_TSK_RECEIVER_ERROR",
  cancelled: "SYS_TSK_CANCELLED",
} as const satisfies Record<Failure["cause"], string>;
