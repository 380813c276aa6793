import type { UiHandlers } from "../http/ui.ts";
import type { Farm } from "../work/farm.ts";
import { farmViewOf, type Origin } from "../work/farm-view.ts";
import { jobView } from "../work/job-view.ts";
import { requireJob } from "./jobs.ts";

export const viewHandlers = (farm: Farm, origin: Origin): Pick<UiHandlers, "viewJob" | "viewFarm"> => ({
  viewJob: ({ job_id, skip, take }) => jobView(farm, requireJob(farm, job_id), { skip, take }),
  viewFarm: () => farmViewOf(farm, origin),
});
