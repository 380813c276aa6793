import type { Handlers } from "../http/server.ts";
import type { Farm } from "../work/farm.ts";
import { watchesOf } from "../work/watch-view.ts";
import { requireJob } from "./jobs.ts";

export const watchHandlers = (farm: Farm) =>
  ({
    listWatches: async ({ job_id, skip, take }) => ({
      items: await watchesOf(farm, (await requireJob(farm, job_id)).id, { skip, take }),
    }),
  }) satisfies Partial<Handlers>;
