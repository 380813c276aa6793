import { AppError } from "../../shared/errors.ts";
import { planRetry, type RetryWish } from "../../shared/retry-plan.ts";
import { isFinal } from "../../shared/state/machine.ts";
import { taskMachine } from "../../shared/state/task.ts";
import type { TaskRow } from "../db/tasks.ts";
import { endTasks } from "./advance.ts";
import type { Changes, Farm } from "./farm.ts";

export type Retried = { readonly tasks: readonly number[]; readonly elements: readonly string[] };

/** Runs what failed of a job again, or all of it; a job that had ended is open again. */
export const retryJob = (farm: Farm, jobId: number, wish: RetryWish): Promise<Retried> =>
  farm.change((changes) => {
    const { jobs, tasks, elementRuns } = farm.stores;
    if (!jobs.get(jobId)) throw new AppError("NOT_FOUND", `There is no job ${jobId}`);
    const own = tasks.ofJob(jobId);
    refuseOthers(own, wish);
    const plan = planRetry({ runs: elementRuns.ofJob(jobId), connections: jobs.connections(jobId), tasks: own }, wish);
    if (plan.requeue.length + plan.forget.length === 0)
      throw new AppError("CONFLICT", `Job ${jobId} has no failed task: there is nothing to retry`);
    write(farm, changes, jobId, own, plan);
    return { tasks: plan.requeue, elements: plan.forget };
  });

/** The same of one task's element. */
export const retryTask = (farm: Farm, task: TaskRow, replan: boolean | undefined): Promise<Retried> =>
  retryJob(farm, task.job_id, { scope: "failed", taskIds: [task.id], replan });

const refuseOthers = (own: readonly TaskRow[], { taskIds }: RetryWish): void => {
  const states = new Map(own.map(({ id, state }) => [id, state]));
  for (const id of taskIds) {
    const state = states.get(id);
    if (state === undefined) throw new AppError("NOT_FOUND", `The job has no task ${id}`);
    if (state === "failed") continue;
    const message = `Task ${id} is ${state}: only failed tasks can be retried`;
    throw new AppError("CONFLICT", message);
  }
};

const write = (
  farm: Farm,
  changes: Changes,
  jobId: number,
  own: readonly TaskRow[],
  { requeue, reopen: runs, forget }: ReturnType<typeof planRetry>,
): void => {
  const { reopen } = farm.stores;
  const gone = new Set(forget);
  const leaving = own.filter(({ element_uid }) => gone.has(element_uid));
  const running = leaving.filter(({ state }) => !isFinal(taskMachine, state));
  endTasks(farm, changes, running, { cause: "cancelled", message: "The job was started again" });
  for (const { id } of leaving) changes.tasks.add(id);
  for (const uid of forget) reopen.forget(jobId, uid);
  for (const id of requeue) {
    reopen.task(jobId, id, farm.clock.steady());
    changes.tasks.add(id);
  }
  for (const { uid, to } of runs) reopen.run(jobId, uid, to);
  reopen.job(jobId);
  const schedule = farm.stores.schedules.get(jobId);
  changes.held.set(jobId, schedule);
  changes.touchedJobs.add(jobId);
};
