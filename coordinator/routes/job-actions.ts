import type { Handlers } from "../http/server.ts";
import { changeJobs } from "../work/bulk.ts";
import type { Farm } from "../work/farm.ts";
import { jobOutputs } from "../work/outputs.ts";
import { type Retried, retryJob, retryTask } from "../work/retry.ts";
import { idOf, requireJob } from "./jobs.ts";
import { requireTask } from "./tasks.ts";

export const jobActionHandlers = (farm: Farm) =>
  ({
    changeJobs: async (input) => ({ items: await changeJobs(farm, input) }),
    retryJob: async ({ job_id, scope, task_ids, replan }) => {
      const jobId = idOf(job_id);
      return answerOf(jobId, await retryJob(farm, jobId, { scope, taskIds: task_ids.map(idOf), replan }));
    },
    retryTask: async ({ task_id, replan }) => {
      const task = await requireTask(farm, task_id);
      return answerOf(task.job_id, await retryTask(farm, task, replan));
    },
    listOutputs: async ({ job_id, skip, take }) =>
      jobOutputs(farm, (await requireJob(farm, job_id)).id, { skip, take }),
  }) satisfies Partial<Handlers>;

const answerOf = (jobId: number, { tasks, elements }: Retried) => ({
  id: String(jobId),
  tasks: tasks.map(String),
  elements: [...elements],
});
