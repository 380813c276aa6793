import { expect } from "vitest";
import type { Change } from "../../../../coordinator/store/batch.ts";
import { nobodys } from "../../../../shared/rights/reach.ts";
import type { Published } from "../../../../shared/work/work.ts";
import { aJobRow, aTaskRow, noWork, removed } from "../../../helpers/farm/batches.ts";
import type { Contract } from "./contract.ts";
import { file, filled } from "./filled.ts";

/** What is known of files: facts, watched folders, sections that are left. */
export const files: Contract = {
  "of an attempt, of facts, and of names of submissions, by their keys": async (store) => {
    const lead = await filled(store);
    const facts = {
      size: 1,
      modified: 2.5,
      tool: "t",
      facts: { format: "mov" } as never,
      found: 50,
      found_by: 3,
      ...nobodys,
    }; // all that a store knows
    const submission = { mark: "m", job_id: 1, created: 70 };
    await lead.write([
      { table: "facts", key: ["file:///a"], before: undefined, after: facts },
      { table: "facts", key: ["file:///b"], before: undefined, after: { ...facts, found: 40 } },
      { table: "submissions", key: ["me", "k"], before: undefined, after: submission },
    ]);
    const { load, due } = store;
    expect([(await load.row("attempts", 12))?.state, await load.row("attempts", 99)]).toEqual(["failed", undefined]);
    expect([await load.row("facts", "file:///a"), await load.row("facts", "file:///c")]).toEqual([facts, undefined]);
    expect([await due.oldFacts(50, 9), await due.oldFacts(50, 1), await due.oldFacts(39, 9)]).toEqual([
      ["file:///b", "file:///a"],
      ["file:///b"],
      [],
    ]);
    await store.maintain({ submissions: 69 });
    expect([await load.row("submissions", "me", "k"), await load.row("submissions", "you", "k")]).toEqual([
      submission,
      undefined,
    ]);
    await store.maintain({ submissions: 70 });
    expect(await load.row("submissions", "me", "k")).toBeUndefined();
  },

  "of watched files: all, by page the latest first, and how many of each sort": async (store) => {
    const lead = await filled(store);
    const row = { mark: "m", owner: null, job_id: null, problem: null, gone: null };
    const files = {
      "": { ...row, at: 1 },
      old: { ...row, at: 2 },
      taken: { ...row, at: 4, job_id: 2 },
      bad: { ...row, at: 3, problem: "p" },
    };
    await lead.write(
      Object.entries(files).map(
        ([uri, after]): Change => ({ table: "watchedFiles", key: ["key:in", uri], before: undefined, after }),
      ),
    );
    const { watches } = store;
    expect((await watches.all("key:in")).map(({ uri }) => uri).sort()).toEqual(["", "bad", "old", "taken"]);
    const counts = { existing: 1, taken: 1, refused: 1 };
    expect((await watches.page("key:in", 0, 2)).files.map(({ uri }) => uri)).toEqual(["taken", "bad"]);
    expect(await watches.page("key:in", 2, 9)).toEqual({ files: [{ ...files.old, uri: "old" }], counts });
    expect(await watches.page("key:none", 0, 9)).toEqual({
      ...{ files: [], counts: { existing: 0, taken: 0, refused: 0 } },
    });
    const watched = (uri: string, owner: number | null): Change => ({
      ...{ table: "watchedFiles", key: ["job:2:w", uri], before: undefined, after: { ...row, owner, at: 5 } },
    });
    await lead.write(["b", "B", "a"].map((uri) => watched(uri, 2)));
    expect((await watches.page("job:2:w", 0, 9)).files.map(({ uri }) => uri)).toEqual(["B", "a", "b"]);
    await lead.write([removed(aJobRow(2, { owner: "Ben" }))]);
    while (await store.maintain({ submissions: 0 }));
    expect([await watches.all("job:2:w"), (await watches.all("key:in")).length]).toEqual([[], 4]);
  },

  "of sections that deleted jobs leave: until they are removed, or were tried often enough": async (store) => {
    const lead = await filled(store);
    const sections = {
      outputs: { a: [file("s1"), file("s2"), { uri: "file:///out/unsized" }] },
    } as unknown as Published;
    const section = aTaskRow(20, 2, { purpose: "stage", state: "completed", published: sections });
    await lead.write([{ table: "tasks", key: [20], before: undefined, after: section, job: 2, more: noWork }]);
    await lead.write([removed(aJobRow(2, { owner: "Ben" }))]);
    while (await store.maintain({ submissions: 0 }));
    const { sectionFiles } = store;
    const [one, two] = ["file:///out/s1", "file:///out/s2"];
    expect(await sectionFiles.some(9)).toEqual([
      { uri: one, size: 10 },
      { uri: two, size: 10 },
    ]);
    const tried = (removed: string[], left: string[]) => sectionFiles.tried({ removed, left }, 2);
    expect([await tried([], [one]), await sectionFiles.some(1)]).toEqual([[], [{ uri: two, size: 10 }]]);
    expect(await tried([two], [one])).toEqual([one]);
    expect(await sectionFiles.some(9)).toEqual([]);
  },
};
