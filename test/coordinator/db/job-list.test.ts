import { afterEach, beforeEach, expect, test } from "vitest";
import type { JobListQuery } from "../../../coordinator/db/job-list.ts";
import { type Db, openDb } from "../../../coordinator/db/open.ts";
import { createStores, type Stores } from "../../../coordinator/db/stores.ts";
import { aFolder, removeFolder } from "../../helpers/farm.ts";

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
let db: Db;
let stores: Stores;

beforeEach(async () => {
  folder = aFolder();
  db = openDb(folder);
  stores = createStores(db);
  await db.commit(() => {
    for (const { name, tag, status, substatus } of jobs) {
      const more = {
        priority: 100,
        expiration: 10,
        definition: "{}",
        elements: [],
        connections: [],
        warnings: [],
        now: 1000,
      };
      const id = stores.jobs.insert({ name, userTag: tag, ...more });
      const [hasStarted, hasEnded] = [status !== "queued", status === "completed" || status === "failed"];
      stores.jobs.setState({
        id,
        status,
        substatus,
        progress: 0,
        error: null,
        now: 1000,
        steady: 0,
        hasStarted,
        hasEnded,
      });
    }
  });
});

afterEach(async () => {
  await db.close();
  removeFolder(folder);
});

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
  const found = await stores.jobList.rows({ ...any, ...query });
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
  const whole = await stores.jobList.rows(query);
  expect(whole.map(({ id }) => id)).toEqual(expected);
  const pages = await Promise.all([0, 50, 100].map((skip) => stores.jobList.rows({ ...query, skip, take: 50 })));
  expect(pages.flat().map(({ id }) => id)).toEqual(expected);
  const found = await stores.jobList.rows({ ...query, text: "job" });
  expect(found.map(({ id }) => id)).toEqual(expected);
});

test("a list is sorted by any of its fields, both ways, and counted", async () => {
  const names = async (order: "asc" | "desc") =>
    (await stores.jobList.rows({ ...any, sort: "name", order })).map(({ name, id }) => `${name} ${id}`);
  const up = [...jobs].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
  expect(await names("asc")).toEqual(up.map(({ name, id }) => `${name} ${id}`));
  expect(await names("desc")).toEqual(up.reverse().map(({ name, id }) => `${name} ${id}`));
  expect(await stores.jobList.count({ ...any, statuses: ["failed"], substatuses: [null] })).toBe(
    jobs.filter(({ status, substatus }) => status === "failed" && substatus === null).length,
  );
});
