import type { z } from "zod";
import type { jobUpdate } from "../../shared/job.ts";
import type { Farm } from "./farm.ts";

/** Changes what is named and leaves the rest; a new priority holds for tasks that wait already. */
export const updateJob = (farm: Farm, jobId: number, change: z.output<typeof jobUpdate>): Promise<void> =>
  farm.change((changes) => {
    const { name, priority, expiration, user_tag: userTag } = change;
    farm.stores.jobs.update(jobId, { name, priority, expiration, userTag });
    changes.jobs.add(jobId);
    for (const task of farm.stores.tasks.ofJob(jobId)) {
      if (task.state === "ready" || task.state === "delayed") changes.tasks.add(task.id);
    }
  });
