import { expect, test } from "vitest";
import { listJobs } from "../../../cli/jobs/chosen-jobs.ts";
import type { Client } from "../../../shared/api/client.ts";
import { limits } from "../../../shared/model/job.ts";

test("a job is listed once, even if new jobs move it to the next page meanwhile", async () => {
  const count = limits.take + 10;
  let newest = count;
  const client = {
    listJobs: async ({ skip = 0, take = 0 }) => {
      const from = newest - skip;
      newest += 3; // somebody submits three jobs
      const items = Array.from({ length: Math.max(0, Math.min(take, from)) }, (_, at) => ({ id: String(from - at) }));
      return { items };
    },
  } as unknown as Client; // its only route that is asked
  const ids = (await listJobs(client, [], 10 * count)).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: count }, (_, at) => String(count - at)));
});
