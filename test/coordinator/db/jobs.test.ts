import { afterEach, beforeEach, expect, test } from "vitest";
import type { JobQuery } from "../../../coordinator/db/job-pages.ts";
import { type Db, openDb } from "../../../coordinator/db/open.ts";
import { createStores, type Stores } from "../../../coordinator/db/stores.ts";
import { aFolder, removeFolder } from "../../helpers/farm.ts";

let folder: string;
let db: Db;
let stores: Stores;

beforeEach(() => {
  folder = aFolder();
  db = openDb(folder);
  stores = createStores(db);
});

afterEach(async () => {
  await db.close();
  removeFolder(folder);
});

const insert = (name: string, priority = 100, userTag: string | null = null) =>
  db.commit(() =>
    stores.jobs.insert({
      ...{
        name,
        priority,
        userTag,
        expiration: 10,
        definition: "{}",
        elements: [],
        connections: [],
        warnings: [],
        now: 1000,
      },
    }),
  );

const list = async (query: Partial<JobQuery> = {}) => {
  const all = { ids: undefined, filters: [], order: "asc", sortField: "id", skip: 0, take: 100 } as const;
  return (await stores.jobPages.list({ ...all, ...query })).map(({ name }) => name).join(" ");
};

const end = (id: number, now: number) =>
  db.commit(() =>
    stores.jobs.setState({
      ...{
        id,
        status: "completed",
        substatus: null,
        progress: 100,
        error: null,
        now,
        steady: now,
        hasEnded: true,
        hasStarted: true,
      },
    }),
  );

beforeEach(async () => {
  for (const [name, priority, tag] of [
    ["b", 5, "x"],
    ["a", 7, null],
    ["c", 5, "x"],
  ] as const) {
    await insert(name, priority, tag);
  }
});

test.each<[string, Partial<JobQuery>, string]>([
  ["by id", {}, "b a c"],
  ["by id, newest first", { order: "desc" }, "c a b"],
  ["by name", { sortField: "name" }, "a b c"],
  ["by priority, ids settling ties", { sortField: "priority" }, "b c a"],
  ["by priority downwards, ids too", { sortField: "priority", order: "desc" }, "a c b"],
  ["page by page", { sortField: "name", skip: 1, take: 1 }, "b"],
  ["beyond the end", { skip: 5 }, ""],
  ["of some ids", { ids: [3, 1, 99] }, "b c"],
  ["of no ids", { ids: [] }, ""],
  ["by one value", { filters: [{ field: "user_tag", values: ["x"] }] }, "b c"],
  ["by alternatives", { filters: [{ field: "name", values: ["a", "b"] }] }, "b a"],
  [
    "by filters that add up",
    {
      filters: [
        { field: "name", values: ["a", "b"] },
        { field: "user_tag", values: ["x"] },
      ],
    },
    "b",
  ],
  ["by no value", { filters: [{ field: "name", values: [] }] }, ""],
  ["by text that means something to SQL", { filters: [{ field: "name", values: ["a' OR 1=1 --", '"]'] }] }, ""],
])("jobs are listed %s", async (_, query, names) => {
  expect(await list(query)).toBe(names);
});

test("counting matches listing", async () => {
  expect(await stores.jobPages.count([])).toBe(3);
  expect(
    await stores.jobPages.count([
      { field: "status", values: ["queued"] },
      { field: "name", values: ["a"] },
    ]),
  ).toBe(1);
  expect(await stores.jobPages.count([{ field: "substatus", values: ["running"] }])).toBe(0);
});

test("a job ends once, and expires so many minutes after", async () => {
  await end(1, 5000);
  await end(1, 9000);
  expect(stores.jobs.read(1)).toMatchObject({ end_time: 5000, expiration_time: 5000 + 600_000 });
  expect([stores.jobs.expired(604_999), stores.jobs.expired(605_000)]).toEqual([[], [1]]);
});

test("a change touches what it names", async () => {
  await db.commit(() => stores.jobs.update(1, { name: "new" }));
  expect(stores.jobs.read(1)).toMatchObject({ name: "new", priority: 5, user_tag: "x", expiration: 10 });
  await db.commit(() => stores.jobs.update(1, { userTag: null, expiration: 20 }));
  expect(stores.jobs.read(1)).toMatchObject({ name: "new", user_tag: null, expiration: 20, expiration_time: null });
  await end(1, 5000);
  await db.commit(() => stores.jobs.update(1, { expiration: 1 }));
  expect(stores.jobs.read(1)?.expiration_time).toBe(65_000);
});

test("a job that has ended cannot be stopped", async () => {
  await end(1, 5000);
  expect(await db.commit(() => [1, 2, 99].map((id) => stores.jobs.stop(id, 6000)))).toEqual([false, true, false]);
});

test("an id is never given twice", async () => {
  await db.commit(() => stores.jobs.remove(3));
  expect(await insert("d")).toBe(4);
});
