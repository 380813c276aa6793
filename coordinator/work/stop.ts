import type { Failure } from "../../shared/causes.ts";
import { AppError } from "../../shared/errors.ts";
import { endTasks } from "./advance.ts";
import type { Changes, Farm } from "./farm.ts";

/** Ends a job on every node: failed and stopped. One that has ended already stays as it is. */
export const stopJob = (farm: Farm, jobId: number): Promise<void> =>
  farm.change((changes) => {
    const { jobs, tasks, elementRuns } = farm.stores;
    requireJob(farm, jobId);
    if (!jobs.stop(jobId, farm.clock.now())) return;
    const failure: Failure = { cause: "cancelled", message: "The job was stopped" };
    endTasks(farm, changes, tasks.ofJob(jobId), failure);
    for (const run of elementRuns.ofJob(jobId)) {
      if (!elementRuns.move(jobId, run, "fail", { failure })) elementRuns.move(jobId, run, "skip");
    }
    changes.touchedJobs.add(jobId);
  });

/** Jobs that go in one commit: thousands at once would block the loop. */
const deletesAtOnce = 50;

/** Deletes jobs in any state; what runs of them is ended. Resolves with the ids that were there. */
export const deleteJobs = async (farm: Farm, jobIds: readonly number[]): Promise<number[]> => {
  const deleted: number[] = [];
  for (let from = 0; from < jobIds.length; from += deletesAtOnce) {
    const some = jobIds.slice(from, from + deletesAtOnce);
    deleted.push(...(await farm.change((changes) => some.filter((jobId) => deleteJob(farm, changes, jobId)))));
  }
  return deleted;
};

const deleteJob = (farm: Farm, changes: Changes, jobId: number): boolean => {
  const failure: Failure = { cause: "cancelled", message: "The job was deleted" };
  endTasks(farm, changes, farm.stores.tasks.ofJob(jobId), failure);
  const wasThere = farm.stores.jobs.remove(jobId);
  if (wasThere) changes.deletedJobs.add(jobId);
  return wasThere;
};

const requireJob = (farm: Farm, jobId: number): void => {
  if (!farm.stores.jobs.get(jobId)) throw new AppError("NOT_FOUND", `There is no job ${jobId}`);
};
