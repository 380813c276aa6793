import { afterEach, beforeEach, expect, test } from "vitest";
import type { JobListQuery } from "../../../../coordinator/store/job-reads.ts";
import { openSqlite } from "../../../../coordinator/store/sqlite/open.ts";
import type { Store } from "../../../../coordinator/store/store.ts";
import { aJobRow, inserted, leading } from "../../../helpers/batches.ts";
import { aFolder, removeFolder } from "../../../helpers/farm.ts";

const states = [
  ["queued", "waiting"],
  ["active", "running"],
  ["completed", null],
  ["completed", "handled_errors"],
  ["failed", "stopped"],
  ["failed", null],
] as const;

const count = 120;
const jobs = Array.from({ length: count }, (_, index) => {
  // A few states are rare.
  const [status, substatus] = states[index % 17 < 6 ? index % 17 : 2] ?? states[0];
  return {
    id: index + 1,
    name: `job ${index % 7}`,
    tag: index % 3 === 0 ? `tag_${index % 5}` : null,
    status,
    substatus,
  };
});

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = aFolder();
  store = openSqlite(folder);
  const { write } = await leading(store);
  await write(
    jobs.flatMap(({ id, name, tag, status, substatus }) =>
      inserted(aJobRow(id, { name, user_tag: tag, status, substatus, ...endOf(status) })),
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
  ...{ statuses: [], substatuses: [], text: "", sort: "id", order: "desc", recent: 2000, skip: 0, take: 1000 },
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

test("what needs a person stands first, then what moves and waits, and what ended last; pages join without a gap", async () => {
  const rankOf = ({ status, substatus }: (typeof jobs)[number]) => {
    if (status === "failed" && substatus === null) return 0;
    if (status === "active") return 1;
    return status === "queued" ? 2 : 3;
  };
  const expected = [...jobs].sort((a, b) => rankOf(a) - rankOf(b) || b.id - a.id).map(({ id }) => id);
  const query: JobListQuery = { ...any, sort: "attention", recent: 500 };
  const whole = await store.jobs.rows(query);
  expect(whole.map(({ id }) => id)).toEqual(expected);
  const pages = await Promise.all([0, 50, 100].map((skip) => store.jobs.rows({ ...query, skip, take: 50 })));
  expect(pages.flat().map(({ id }) => id)).toEqual(expected);
  const found = await store.jobs.rows({ ...query, text: "job" });
  expect(found.map(({ id }) => id)).toEqual(expected);
});

test("a list is sorted by any of its fields, both ways, and counted", async () => {
  const names = async (order: "asc" | "desc") =>
    (await store.jobs.rows({ ...any, sort: "name", order })).map(({ name, id }) => `${name} ${id}`);
  const up = [...jobs].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
  expect(await names("asc")).toEqual(up.map(({ name, id }) => `${name} ${id}`));
  expect(await names("desc")).toEqual(up.reverse().map(({ name, id }) => `${name} ${id}`));
  expect(await store.jobs.countRows({ ...any, statuses: ["failed"], substatuses: [null] })).toBe(
    jobs.filter(({ status, substatus }) => status === "failed" && substatus === null).length,
  );
});
