import { expect } from "vitest";
import type { JobQuery } from "../../../../coordinator/store/job-reads.ts";
import type { Store } from "../../../../coordinator/store/store.ts";
import { type JobPageFilter, selectionOf } from "../../../../coordinator/views/job-groups.ts";
import { type JobGroup, jobGroups } from "../../../../shared/api/job-view.ts";
import { aJobRow, inserted, leading } from "../../../helpers/farm/batches.ts";
import type { Contract } from "./contract.ts";

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

const endOf = (status: string) =>
  status === "completed" || status === "failed" ? { start_time: 1000, end_time: 1000 } : {};

/** As pages ask. */
type Asked = JobPageFilter & Omit<JobQuery, "filters" | "text" | "recent"> & { readonly recent: number };
const any: Asked = {
  ...{ statuses: [], substatuses: [], owners: [], text: "", sort: "id", order: "desc", recent: 2000 },
  ...{ group: undefined, size: count, skip: 0, take: 1000 },
};
const asked = ({ statuses, substatuses, owners, text, recent, ...query }: Asked): JobQuery => ({
  ...query,
  ...selectionOf({ statuses, substatuses, owners, text }, recent),
});

type Job = (typeof jobs)[number];

const filled = async (store: Store): Promise<void> => {
  const { write } = await leading(store);
  await write(
    jobs.flatMap(({ id, name, tag, status, substatus, owner }) =>
      inserted(aJobRow(id, { name, user_tag: tag, owner, status, substatus, ...endOf(status) })),
    ),
  );
};

/** The same, by looking at every job. */
const plainly = ({ statuses, substatuses, text, skip, take }: Asked): number[] =>
  jobs
    .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
    .filter(({ substatus }) => substatuses.length === 0 || substatuses.includes(substatus))
    .filter(({ id, name, tag }) => name.includes(text) || (tag?.includes(text) ?? false) || String(id) === text)
    .map(({ id }) => id)
    .reverse()
    .slice(skip, skip + take);

const queries: readonly Partial<Asked>[] = [
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
];

/** The groups in their order, each with the jobs that belong to it, by looking at every job. */
const inGroups = (): Record<JobGroup, Job[]> => {
  const groups: Record<JobGroup, Job[]> = { failed: [], active: [], held: [], ended: [] };
  for (const job of [...jobs].reverse()) groups[groupOf(job)].push(job);
  const rank = ({ status }: Job) => (status === "active" ? 0 : 1);
  return { ...groups, active: groups.active.sort((a, b) => rank(a) - rank(b)) };
};
const groupOf = ({ status, substatus }: Job): JobGroup => {
  if (substatus === "paused") return "held";
  if (status === "failed" && substatus === null) return "failed";
  return status === "active" || status === "queued" ? "active" : "ended";
};

const byName = (a: Job, b: Job): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id);
const grouped = inGroups();

/** Many jobs are read from the index of the sorted field, few are sorted. */
const holdsItsJobs = async (store: Store, group: JobGroup, size: number): Promise<void> => {
  const query: Asked = { ...any, sort: "attention", recent: 500, group, size };
  const ids = async (more: Partial<Asked>) => (await store.jobs.list(asked({ ...query, ...more }))).map(({ id }) => id);
  const expected = grouped[group].map(({ id }) => id);
  expect(expected.length).toBeGreaterThan(0);
  expect(await ids({})).toEqual(expected);
  expect(await ids({ text: "job" })).toEqual(expected);
  const pages = await Promise.all([0, 3, 6].map((skip) => ids({ skip, take: 3 })));
  expect(pages.flat()).toEqual(expected.slice(0, 9));
  expect(await ids({ sort: "id" })).toEqual(expected.toSorted((a, b) => b - a));
  expect(await ids({ sort: "name", order: "asc" })).toEqual(grouped[group].toSorted(byName).map(({ id }) => id));
};

/** The lists of the pages: groups, several values, what is null, parts of texts. */
export const pageLists: Contract = {
  ...Object.fromEntries(
    queries.map((query) => [
      `the pages' list is the newest of the jobs that are meant: ${JSON.stringify(query)}`,
      async (store: Store) => {
        await filled(store);
        const found = await store.jobs.list(asked({ ...any, ...query }));
        expect(found.map(({ id }) => id)).toEqual(plainly({ ...any, ...query }));
      },
    ]),
  ),

  ...Object.fromEntries(
    jobGroups.map((group) => [
      `the group ${group} holds its jobs, those that need attention first; pages join without a gap`,
      async (store: Store) => {
        await filled(store);
        for (const size of [grouped[group].length, 1_000_000]) await holdsItsJobs(store, group, size);
      },
    ]),
  ),

  "failures from before the last day have ended like others": async (store) => {
    await filled(store);
    const late = { ...any, recent: 2000 };
    expect(await store.jobs.list(asked({ ...late, group: "failed" }))).toEqual([]);
    const { failed, ended } = grouped;
    const expected = [...failed, ...ended].map(({ id }) => id).sort((a, b) => b - a);
    expect((await store.jobs.list(asked({ ...late, group: "ended" }))).map(({ id }) => id)).toEqual(expected);
    const countFailed = (recent: number) => store.jobs.count({ filters: [], group: "failed", recent });
    expect([await countFailed(2000), await countFailed(500)]).toEqual([0, failed.length]);
  },

  "a list is sorted by any of its fields, both ways": async (store) => {
    await filled(store);
    const names = async (order: "asc" | "desc") =>
      (await store.jobs.list(asked({ ...any, sort: "name", order }))).map(({ name, id }) => `${name} ${id}`);
    const up = jobs.toSorted(byName);
    expect(await names("asc")).toEqual(up.map(({ name, id }) => `${name} ${id}`));
    expect(await names("desc")).toEqual(up.reverse().map(({ name, id }) => `${name} ${id}`));
  },

  "jobs are counted by state, also those of some owners, and owners are named once": async (store) => {
    await filled(store);
    const mine = { ...any, owners: ["Ana"] };
    const counts = Object.fromEntries(
      (await store.jobs.states(asked(mine))).map(({ status, substatus, n }) => [`${status} ${substatus}`, n]),
    );
    const expected = Map.groupBy(
      jobs.filter(({ owner }) => owner === "Ana"),
      (job) => `${job.status} ${job.substatus}`,
    );
    expect(counts).toEqual(Object.fromEntries([...expected].map(([state, { length }]) => [state, length])));
    expect((await store.jobs.list(asked({ ...any, owners: [null] }))).map(({ id }) => id)).toEqual(
      jobs.flatMap(({ id, owner }) => (owner === null ? [id] : [])).reverse(),
    );
    expect([await store.jobs.owners(9), await store.jobs.owners(1)]).toEqual([["Ana", "Ben"], ["Ana"]]);
  },
};
