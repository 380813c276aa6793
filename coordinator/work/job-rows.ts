import type { UiJobRow } from "../../shared/job-view.ts";
import { taskStatus } from "../../shared/state/task.ts";
import type { JobListQuery } from "../db/job-list.ts";
import type { Farm } from "./farm.ts";
import { jobInfoOf } from "./info.ts";

/** Jobs as their list shows them: each with how many of its tasks stand in which state. */
export const jobRows = async (farm: Farm, query: JobListQuery): Promise<UiJobRow[]> => {
  const rows = await farm.stores.jobList.rows(query);
  const counts = new Map(rows.map(({ id }) => [id, { queued: 0, running: 0, completed: 0, failed: 0 }]));
  for (const { job_id, state, n } of await farm.stores.jobList.taskStates([...counts.keys()])) {
    const count = counts.get(job_id);
    if (count) count[taskStatus[state]] += n;
  }
  return rows.map((row) => ({
    ...jobInfoOf(row, farm.progress),
    task_counts: counts.get(row.id) ?? { queued: 0, running: 0, completed: 0, failed: 0 },
  }));
};
