import { AppError } from "../../shared/errors.ts";
import { planRetry, type RetryWish } from "../../shared/retry-plan.ts";
import { isFinal } from "../../shared/state/machine.ts";
import { taskMachine } from "../../shared/state/task.ts";
import type { Draft } from "../memory/draft.ts";
import type { JobValue } from "../memory/values.ts";
import type { TaskRow } from "../store/rows.ts";
import { endTasks } from "./advance.ts";
import type { Farm } from "./farm.ts";
import { requireJob } from "./hold-job.ts";

export type Retried = { readonly tasks: readonly number[]; readonly elements: readonly string[] };

/** Runs the failed parts of a job again, or all of it; an ended job is open again. */
export const retryJob = (farm: Farm, jobId: number, wish: RetryWish): Promise<Retried> =>
  farm.change([jobId], (draft) => {
    requireJob(draft, jobId);
    const job = draft.job(jobId);
    const own = [...job.tasks.values()];
    refuseOthers(own, wish);
    const plan = planRetry({ runs: [...job.runs.values()], connections: job.connections, tasks: own }, wish);
    if (plan.requeue.length + plan.forget.length === 0)
      throw new AppError("CONFLICT", `Job ${jobId} has no failed task: there is nothing to retry`);
    reopen(farm, draft, job, plan);
    return { tasks: plan.requeue, elements: plan.forget };
  });

/** The same for the element of one task. */
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

/** The state machines have no way back from a final state; this is the only one. */
const reopen = (farm: Farm, draft: Draft, job: JobValue, plan: ReturnType<typeof planRetry>): void => {
  const gone = new Set(plan.forget);
  const leaving = [...job.tasks.values()].filter(({ element_uid }) => gone.has(element_uid));
  const running = leaving.filter(({ state }) => !isFinal(taskMachine, state));
  endTasks(farm, draft, running, { cause: "cancelled", message: "The job was started again" });
  for (const { id } of leaving) draft.removeTask(job.id, id);
  for (const uid of plan.forget) draft.resetRun(job.id, uid);
  const afresh = {
    state: "ready",
    retry_nr: 0,
    losses: 0,
    failure: undefined,
    start_time: null,
    end_time: null,
  } as const;
  for (const id of plan.requeue) {
    const task = job.tasks.get(id);
    if (task) draft.setTask(task, { ...afresh, ready_time: farm.clock.steady() });
  }
  for (const { uid, to } of plan.reopen) draft.setRun(job.id, uid, { state: to, failure: undefined, assets: [] });
  draft.setJob(job.id, {
    ...{ status: "active", substatus: "waiting", error: null, stopped: null, end_time: null, expiration_time: null },
  });
  draft.touch(job.id);
};
