import { expect } from "vitest";
import type { JobQuery } from "../../../../coordinator/store/job-reads.ts";
import type { JobRow } from "../../../../coordinator/store/rows.ts";
import type { Store } from "../../../../coordinator/store/store.ts";
import { aDefinition, aJobRow, inserted, leading } from "../../../helpers/farm/batches.ts";
import type { Contract } from "./contract.ts";

/** Three jobs. */
const filled = async (store: Store) => {
  const lead = await leading(store);
  const rows = [
    aJobRow(1, { name: "b", priority: 5, user_tag: "x" }),
    aJobRow(2, { name: "a", priority: 7 }),
    aJobRow(3, { name: "c", priority: 5, user_tag: "x" }),
  ];
  await lead.write(rows.flatMap((row) => inserted(row)));
  return lead;
};

const all = { filters: [], order: "asc", sort: "id", skip: 0, take: 100 } as const;

/** The names of the jobs that are found. */
const queries: readonly [name: string, query: Partial<JobQuery>, found: string][] = [
  ["by id", {}, "b a c"],
  ["by id, newest first", { order: "desc" }, "c a b"],
  ["by name", { sort: "name" }, "a b c"],
  ["by priority, ids settling ties", { sort: "priority" }, "b c a"],
  ["by priority downwards, ids too", { sort: "priority", order: "desc" }, "a c b"],
  ["page by page", { sort: "name", skip: 1, take: 1 }, "b"],
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
];

/** Parts of texts, with the number of jobs that have them: letters of ASCII match in any case, and no sign means another one. */
const parts: readonly [text: string, n: number][] = [
  ["ANA", 2],
  ["k\\s", 1],
  ["", 8],
  ["T_G", 1],
  ["N\u0000l", 1],
  ["ÄRGER", 0],
  ["ärger", 1],
  ["NAME", 1],
  ["100%", 1],
  ["100_", 0],
  ["7", 1],
];

/** The lists and counts of the API. */
export const lists: Contract = {
  ...Object.fromEntries(
    queries.map(([name, query, found]) => [
      `jobs are listed ${name}`,
      async (store: Store) => {
        await filled(store);
        expect((await store.jobs.list({ ...all, ...query })).map((job) => job.name).join(" ")).toBe(found);
      },
    ]),
  ),

  ...Object.fromEntries(
    parts.map(([text, n]) => [
      `jobs are found by the part ${JSON.stringify(text)} of a text`,
      async (store: Store) => {
        const { write } = await filled(store);
        const names = ["nul: N\u0000l", "ärger", "a name", "100% sure", "back\\slash"];
        const more = [{ owner: "Ana" }, { owner: "b", user_tag: "banana t_g" }];
        await write(names.flatMap((name, at) => inserted(aJobRow(at + 4, { name, ...more[at] }))));
        expect(await store.jobs.count({ filters: [], text })).toBe(n);
        expect((await store.jobs.list({ ...all, text })).length).toBe(n);
      },
    ]),
  ),

  "finds jobs by a part of their error or of a file's name in their definition, and by ids that are given": async (
    store,
  ) => {
    const lead = await leading(store);
    const source = { uid: "s", kind: "source", payload: { uri: "file:///mnt/A021_C003.mov", share: "\\\\nas\\day 3" } };
    const named = { ...aDefinition(), elements: [source] as unknown as ReturnType<typeof aDefinition>["elements"] };
    await lead.write([
      ...inserted(aJobRow(1, { error: "t: Moov atom not found" })),
      ...inserted(aJobRow(2), named),
      ...inserted(aJobRow(3)),
    ]);
    const found = async (text: string, alsoIds: readonly number[] = []) =>
      (await store.jobs.list({ ...all, text, alsoIds })).map(({ id }) => id).sort();
    expect(await found("moov ATOM")).toEqual([1]);
    expect(await found("a021_c003")).toEqual([2]);
    expect(await found("\\\\nas\\day")).toEqual([2]);
    // Short words and those without a sign of a path would be in every definition.
    expect(await found("kind")).toEqual([]);
    expect(await found("moov", [3])).toEqual([1, 3]);
  },

  "counting matches listing": async (store) => {
    await filled(store);
    const count = (...filters: JobQuery["filters"]) => store.jobs.count({ filters });
    expect(await count()).toBe(3);
    expect(await count({ field: "status", values: ["queued"] }, { field: "name", values: ["a"] })).toBe(1);
    expect(await count({ field: "substatus", values: ["running"] })).toBe(0);
  },

  "sorts nulls first and texts by their bytes, and gives ids as numbers": async (store) => {
    const lead = await leading(store);
    const tags = [null, "b", "B", "\u{1f600}", "\uff5e"];
    await lead.write(tags.flatMap((user_tag, at) => inserted(aJobRow(at + 1, { user_tag }))));
    const query = { filters: [], order: "asc", sort: "user_tag", skip: 0, take: 10 } as const;
    expect((await store.jobs.list(query)).map(({ id }) => id)).toEqual([1, 3, 2, 5, 4]);
    expect((await store.jobs.list({ ...query, order: "desc" })).map(({ id }) => id)).toEqual([4, 5, 2, 3, 1]);
    const filters = [{ field: "user_tag", values: ["b"] }] as const;
    expect((await store.jobs.list({ ...query, filters })).map(({ id }) => id)).toEqual([2]);
  },

  "sorts by attention: the newest first, active ones by what they do": async (store) => {
    const lead = await leading(store);
    const state = (status: "active" | "queued", substatus: JobRow["substatus"]) => ({ status, substatus });
    const rows = [
      aJobRow(1, state("active", "retrying")),
      aJobRow(2, state("active", "waiting")),
      aJobRow(3, state("queued", "waiting")),
      aJobRow(4, { ...state("active", "running"), creation_time: 900 }),
      aJobRow(5, { ...state("active", "retrying"), creation_time: 800 }),
      aJobRow(6, state("queued", "waiting")),
      aJobRow(7, state("queued", "scheduled")),
      aJobRow(8, { ...state("active", "paused"), creation_time: 800 }),
    ];
    await lead.write(rows.flatMap((row) => inserted(row)));
    const ids = async (more: Partial<JobQuery>) =>
      (await store.jobs.list({ ...all, sort: "attention", ...more })).map(({ id }) => id).join(" ");
    for (const order of ["asc", "desc"] as const)
      expect([
        await ids({ order, group: "active" }),
        await ids({ order, group: "active", text: "a" }),
        await ids({ order, group: "held" }),
        await ids({ order }),
      ]).toEqual(["5 1 2 4 6 3", "5 1 2 4 6 3", "7 8", "7 6 3 2 1 4 8 5"]);
  },

  "names owners once, in the order of their bytes, whatever the case": async (store) => {
    const lead = await leading(store);
    const owners = ["bo", "Zoe", null, "ana", "Ana", "Émil", "bo"];
    await lead.write(owners.flatMap((owner, at) => inserted(aJobRow(at + 1, { owner }))));
    expect([await store.jobs.owners(9), await store.jobs.owners(2)]).toEqual([
      ["Ana", "Zoe", "ana", "bo", "Émil"],
      ["Ana", "Zoe"],
    ]);
  },
};
