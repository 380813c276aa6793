import { afterEach, beforeEach, expect, test } from "vitest";
import type { JobQuery } from "../../../../coordinator/store/job-reads.ts";
import { openSqlite } from "../../../../coordinator/store/sqlite/open.ts";
import type { Store } from "../../../../coordinator/store/store.ts";
import { aJobRow, inserted, leading } from "../../../helpers/batches.ts";
import { aFolder, removeFolder } from "../../../helpers/farm.ts";

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = aFolder();
  store = openSqlite(folder);
  const { write } = await leading(store);
  const rows = [
    aJobRow(1, { name: "b", priority: 5, user_tag: "x" }),
    aJobRow(2, { name: "a", priority: 7 }),
    aJobRow(3, { name: "c", priority: 5, user_tag: "x" }),
  ];
  await write(rows.flatMap((row) => inserted(row)));
});

afterEach(async () => {
  await store.close();
  removeFolder(folder);
});

const list = async (query: Partial<JobQuery> = {}) => {
  const all = { ids: undefined, filters: [], order: "asc", sortField: "id", skip: 0, take: 100 } as const;
  return (await store.jobs.list({ ...all, ...query })).map(({ name }) => name).join(" ");
};

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
  expect(await store.jobs.count([])).toBe(3);
  expect(
    await store.jobs.count([
      { field: "status", values: ["queued"] },
      { field: "name", values: ["a"] },
    ]),
  ).toBe(1);
  expect(await store.jobs.count([{ field: "substatus", values: ["running"] }])).toBe(0);
});
