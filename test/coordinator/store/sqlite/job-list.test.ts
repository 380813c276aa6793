import { afterEach, beforeEach, expect, test } from "vitest";
import type { JobListQuery } from "../../../../coordinator/store/job-reads.ts";
import { openSqlite } from "../../../../coordinator/store/sqlite/open.ts";
import type { Store } from "../../../../coordinator/store/store.ts";
import { type JobGroup, jobGroups } from "../../../../shared/job-view.ts";
import { aJobRow, inserted, leading } from "../../../helpers/batches.ts";
import { aFolder, removeFolder } from "../../../helpers/farm.ts";

const states = [
  ["queued", "waiting"],
  ["active", "running"],
  ["completed", null],
  ["completed", "handled_errors"],
  ["active", "paused"],
  ["failed", "stopped"],
  ["failed", null],
] as const;

const count = 120;
const jobs = Array.from({ length: count }, (_, index) => {
  // A few states are rare.
  const [status, substatus] = states[index % 17 < 7 ? index % 17 : 2] ?? states[0];
  return {
    id: index + 1,
    name: `job ${index % 7}`,
    tag: index % 3 === 0 ? `tag_${index % 5}` : null,
    status,
    substatus,
    owner: ["Ana", "Ben", null][index % 4] ?? null,
  };
});

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = aFolder();
  store = openSqlite(folder);
  const { write } = await leading(store);
  await write(
    jobs.flatMap(({ id, name, tag, status, substatus, owner }) =>
      inserted(aJobRow(id, { name, user_tag: tag, owner, status, substatus, ...endOf(status) })),
    ),
  );
});

afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

const endOf = (status: string) =>
  status === "completed" || status === "failed" ? { start_time: 1000, end_time: 1000 } : {};

const any: JobListQuery = {
  ...{ statuses: [], substatuses: [], owners: [], text: "", sort: "id", order: "desc", recent: 2000 },
  ...{ group: undefined, size: count, skip: 0, take: 1000 },
};

/** The same, by looking at every job. */
const plainly = ({ statuses, substatuses, text, skip, take }: JobListQuery): number[] =>
  jobs
    .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
    .filter(({ substatus }) => substatuses.length === 0 || substatuses.includes(substatus))
    .filter(({ id, name, tag }) => name.includes(text) || (tag?.includes(text) ?? false) || String(id) === text)
    .map(({ id }) => id)
    .reverse()
    .slice(skip, skip + take);

test.each<Partial<JobListQuery>>([
  {},
  { skip: 100, take: 30 },
  { statuses: ["active"] },
  { statuses: ["failed", "active", "failed"], skip: 3, take: 7 },
  { statuses: ["queued", "active", "completed", "failed"], skip: 50, take: 20 },
  { substatuses: ["running"] },
  { substatuses: [null], skip: 10, take: 10 },
  { substatuses: [null], statuses: ["failed"] },
  { substatuses: ["stopped", null, "waiting"], statuses: ["failed", "queued"], skip: 2, take: 9 },
  { substatuses: ["running"], statuses: ["completed"] },
  { text: "job 3" },
  { text: "tag_", skip: 4, take: 5 },
  { text: "17" },
  { text: "job 3", statuses: ["completed"], substatuses: ["handled_errors", null] },
])("the pages' list is the newest of the jobs that are meant: %j", async (query) => {
  const found = await store.jobs.rows({ ...any, ...query });
  expect(found.map(({ id }) => id)).toEqual(plainly({ ...any, ...query }));
});

/** The groups in their order, each with the jobs that belong to it, by looking at every job. */
const grouped = (): Record<JobGroup, (typeof jobs)[number][]> => {
  const groups: Record<JobGroup, (typeof jobs)[number][]> = { failed: [], active: [], held: [], ended: [] };
  for (const job of [...jobs].reverse()) groups[groupOf(job)].push(job);
  const rank = ({ status }: (typeof jobs)[number]) => (status === "active" ? 0 : 1);
  return { ...groups, active: groups.active.sort((a, b) => rank(a) - rank(b)) };
};
const groupOf = ({ status, substatus }: (typeof jobs)[number]): JobGroup => {
  if (substatus === "paused") return "held";
  if (status === "failed" && substatus === null) return "failed";
  return status === "active" || status === "queued" ? "active" : "ended";
};

test.each(jobGroups)(
  "the group %s holds its jobs, those that need attention first; pages join without a gap",
  async (group) => {
    const expected = grouped()[group].map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(0);
    // Many jobs are read from the index of the sorted field, few are sorted.
    for (const size of [expected.length, 1_000_000]) {
      const query: JobListQuery = { ...any, sort: "attention", recent: 500, group, size };
      const ids = async (more: Partial<JobListQuery>) =>
        (await store.jobs.rows({ ...query, ...more })).map(({ id }) => id);
      expect(await ids({})).toEqual(expected);
      expect(await ids({ text: "job" })).toEqual(expected);
      const pages = await Promise.all([0, 3, 6].map((skip) => ids({ skip, take: 3 })));
      expect(pages.flat()).toEqual(expected.slice(0, 9));
      expect(await ids({ sort: "id" })).toEqual(expected.toSorted((a, b) => b - a));
      expect(await ids({ sort: "name", order: "asc" })).toEqual(
        grouped()
          [group].toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))
          .map(({ id }) => id),
      );
    }
  },
);

test("failures from before the last day have ended like others", async () => {
  const late = { ...any, recent: 2000 };
  expect(await store.jobs.rows({ ...late, group: "failed" })).toEqual([]);
  const { failed, ended } = grouped();
  const expected = [...failed, ...ended].map(({ id }) => id).sort((a, b) => b - a);
  expect((await store.jobs.rows({ ...late, group: "ended" })).map(({ id }) => id)).toEqual(expected);
  expect([await store.jobs.countFailed(late), await store.jobs.countFailed({ ...late, recent: 500 })]).toEqual([
    0,
    failed.length,
  ]);
});

test("a list is sorted by any of its fields, both ways", async () => {
  const names = async (order: "asc" | "desc") =>
    (await store.jobs.rows({ ...any, sort: "name", order })).map(({ name, id }) => `${name} ${id}`);
  const up = [...jobs].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
  expect(await names("asc")).toEqual(up.map(({ name, id }) => `${name} ${id}`));
  expect(await names("desc")).toEqual(up.reverse().map(({ name, id }) => `${name} ${id}`));
});

test("jobs are counted by state, also those of some owners, and owners are named once", async () => {
  const mine = { ...any, owners: ["Ana"] };
  const counts = Object.fromEntries(
    (await store.jobs.stateCounts(mine)).map(({ status, substatus, n }) => [`${status} ${substatus}`, n]),
  );
  const expected = Map.groupBy(
    jobs.filter(({ owner }) => owner === "Ana"),
    (job) => `${job.status} ${job.substatus}`,
  );
  expect(counts).toEqual(Object.fromEntries([...expected].map(([state, { length }]) => [state, length])));
  expect((await store.jobs.rows({ ...any, owners: [null] })).map(({ id }) => id)).toEqual(
    jobs.flatMap(({ id, owner }) => (owner === null ? [id] : [])).reverse(),
  );
  expect([await store.jobs.owners(9), await store.jobs.owners(1)]).toEqual([["Ana", "Ben"], ["Ana"]]);
});
