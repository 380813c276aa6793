import { AppError } from "../../shared/basics/errors.ts";
import type { Failure } from "../../shared/model/failure.ts";
import { isFinal } from "../../shared/state/machine.ts";
import { taskMachine } from "../../shared/state/task.ts";
import type { Transaction } from "../kernel/transaction.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { endTasks, forgetEnded } from "./advance.ts";
import { requireJob } from "./pause.ts";

/** Who stops a job, and why. */
export type Stopper = { readonly by?: string | null | undefined; readonly note?: string | undefined };

/**
 * Stops a job on every node; its state becomes failed and stopped. Resolves with the tasks that it ended; a job that has
 * ended does not change.
 */
export const stopJob = (
  farm: Pick<Nodes, "clock" | "epoch" | "change" | "registry" | "progress">,
  jobId: number,
  stopper: Stopper = {},
): Promise<readonly number[] | undefined> =>
  farm.change([jobId], (draft) => {
    if (requireJob(draft, jobId).end_time !== null) return undefined;
    const { tasks, runs } = draft.job(jobId);
    const ended = [...tasks.values()].flatMap(({ id, state }) => (isFinal(taskMachine, state) ? [] : [id]));
    draft.setJob(jobId, { stopped: farm.clock.now() });
    const failure: Failure = { cause: "cancelled", message: stoppedWords(stopper) };
    endTasks(farm, draft, tasks.values(), failure);
    for (const run of [...runs.values()]) {
      if (!draft.moveRun(jobId, run, "fail", { failure })) draft.moveRun(jobId, run, "skip");
    }
    draft.touch(jobId);
    return ended;
  });

const stoppedWords = ({ by, note }: Stopper): string =>
  ["The job was stopped", by ? ` by ${by}` : "", note ? `: “${note}”` : ""].join("");

/** The number of jobs deleted in one decision; fifty would block all other answers for a tenth of a second. */
const deletesAtOnce = 5;

/**
 * Deletes jobs in any state and ends their running tasks. Resolves with the ids of the jobs that existed. `look` throws once
 * whoever wants it may not do so any more.
 */
export const deleteJobs = async (
  farm: Nodes,
  jobIds: readonly number[],
  look: () => unknown = () => undefined,
): Promise<number[]> => {
  const deleted: number[] = [];
  for (let from = 0; from < jobIds.length; from += deletesAtOnce) {
    const some = jobIds.slice(from, from + deletesAtOnce);
    await look();
    deleted.push(...(await farm.change({ heads: some }, (draft) => deleteSome(farm, draft, some))));
  }
  return deleted;
};

/** Deletes one job, which must exist. */
export const deleteJob = async (farm: Nodes, jobId: number): Promise<void> => {
  const deleted = await deleteJobs(farm, [jobId]);
  if (deleted.length === 0) throw new AppError("NOT_FOUND", `There is no job ${jobId}`);
};

const deleteSome = (farm: Nodes, draft: Transaction, jobIds: readonly number[]): number[] => {
  draft.expect({ jobs: jobIds.filter((id) => draft.head(id)?.end_time === null) });
  return jobIds.filter((id) => removeJob(farm, draft, id));
};

const removeJob = (farm: Nodes, draft: Transaction, jobId: number): boolean => {
  const row = draft.head(jobId);
  if (!row) return false;
  if (row.end_time === null)
    endTasks(farm, draft, draft.job(jobId).tasks.values(), { cause: "cancelled", message: "The job was deleted" });
  draft.after(() => forgetEnded(farm, jobId));
  return draft.removeJob(jobId);
};

/** The time for this in one tick; the next one continues. */
const expireForMs = 500;

/** Deletes jobs that have expired. */
export const expireJobs = async (farm: Nodes): Promise<void> => {
  const until = farm.clock.monotonic() + expireForMs;
  do {
    const expired = await farm.store.due.expired(farm.clock.steady());
    if (expired.length === 0) return;
    await deleteJobs(farm, expired);
  } while (farm.clock.monotonic() < until);
};
