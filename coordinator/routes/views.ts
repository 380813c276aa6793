import type { UiHandlers } from "../http/ui.ts";
import type { Farm } from "../work/farm.ts";
import { farmViewOf, type Origin } from "../work/farm-view.ts";
import { jobRows } from "../work/job-rows.ts";
import { jobView } from "../work/job-view.ts";
import { requireJob } from "./jobs.ts";

export const viewHandlers = (
  farm: Farm,
  origin: Origin,
): Pick<UiHandlers, "viewJob" | "viewJobs" | "countJobStates" | "viewFarm"> => ({
  viewJob: ({ job_id, skip, take }) => jobView(farm, requireJob(farm, job_id), { skip, take }),
  viewJobs: async (query) => ({ items: await jobRows(farm, query) }),
  countJobStates: () => ({
    items: farm.stores.jobPages.states().map(({ n, ...state }) => ({ ...state, count: n })),
  }),
  viewFarm: () => farmViewOf(farm, origin),
});
