import { expect, test } from "vitest";
import type { Jobs } from "../../../coordinator/jobs/jobs.ts";
import type { JobQuery } from "../../../coordinator/store/job-reads.ts";
import type { JobPageQuery } from "../../../coordinator/views/job-groups.ts";
import { jobPage } from "../../../coordinator/views/job-rows.ts";

const asked: JobPageQuery = {
  ...{ statuses: [], substatuses: [], owners: [], text: "nowhere to be found" },
  ...{ skip: 0, take: 100, flat: true, sort: "name", order: "asc" },
};

/** The lists that a page of so many jobs is made from; the rows themselves are of no matter. */
const searched = async (n: number, more: Partial<JobPageQuery> = {}): Promise<JobQuery[]> => {
  const lists: JobQuery[] = [];
  const farm = {
    clock: { now: () => 0 },
    registry: { running: () => [] },
    polls: { all: () => [] },
    delayed: new Map(),
    pausedJobs: new Map(),
    store: {
      jobs: {
        states: async () => (n > 0 ? [{ status: "completed", substatus: null, n }] : []),
        list: async (query: JobQuery) => {
          lists.push(query);
          return [];
        },
        taskStatesOf: async () => [],
      },
    },
  } as unknown as Jobs; // what a page without rows reads
  await jobPage(farm, { ...asked, ...more }, async () => ({ jobs: new Map(), turns: new Map() }) as never);
  return lists;
};

test("where a search found nothing, the jobs are not searched once more for a page of it", async () => {
  expect(await searched(0)).toEqual([]);
  expect(await searched(100, { skip: 100 })).toEqual([]);
  expect(await searched(101, { skip: 100 })).toMatchObject([{ skip: 100, take: 100, size: 101 }]);
});
