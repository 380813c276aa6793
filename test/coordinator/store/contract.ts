import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Change } from "../../../coordinator/store/batch.ts";
import { noSchedule, waitingRun } from "../../../coordinator/store/rows.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { aDefinition, aJobRow, aTaskRow, changed, inserted, leading, noWork, removed } from "../../helpers/batches.ts";

/** What every implementation of the store has to do alike. `open` gives one on the same data each time. */
export const describeStore = (name: string, open: () => Promise<Store>): void => {
  describe(`the ${name} store`, () => {
    let store: Store;
    let lead: Awaited<ReturnType<typeof leading>>;
    beforeEach(async () => {
      store = await open();
      lead = await leading(store);
    });
    afterEach(() => store.close());

    const aTask = (id: number, jobId: number, changes = {}): Change => ({
      ...{
        table: "tasks",
        key: [id],
        before: undefined,
        after: aTaskRow(id, jobId, changes),
        job: jobId,
        more: noWork,
      },
    });

    test("writes a batch as a whole or not at all", async () => {
      const twice = [...inserted(aJobRow(1)), ...inserted(aJobRow(1))];
      await expect(lead.write(twice)).rejects.toMatchObject({ kind: "content" });
      expect([await store.load.job(1), await store.jobs.states()]).toEqual([undefined, []]);
      await lead.write(inserted(aJobRow(1)));
      expect((await store.load.job(1))?.row).toEqual(aJobRow(1));
    });

    test("takes batches in their order, of the leader's epoch alone", async () => {
      const counters = { jobs: 0, tasks: 0, attempts: 0, nodes: 0 };
      const batch = { epoch: lead.epoch, changes: inserted(aJobRow(1)), counters };
      await expect(store.write({ ...batch, nr: 2 })).rejects.toMatchObject({ kind: "fenced" });
      await expect(store.write({ ...batch, nr: 1, epoch: lead.epoch - 1 })).rejects.toMatchObject({ kind: "fenced" });
      await store.write({ ...batch, nr: 1 });
      expect(await store.leading()).toEqual({ epoch: lead.epoch, batch: 1 });
      await expect(store.write({ ...batch, nr: 1 })).rejects.toMatchObject({ kind: "fenced" });
    });

    test("gives every life a higher epoch, and one that is high enough", async () => {
      const next = await store.lead(0);
      expect(next).toEqual({ epoch: lead.epoch + 1, batch: 0 });
      expect(await store.lead(next.epoch + 100)).toEqual({ epoch: next.epoch + 100, batch: 0 });
      await expect(lead.write(inserted(aJobRow(1)))).rejects.toMatchObject({ kind: "fenced" });
    });

    test("loads what was written, with everything of a job", async () => {
      const spec = {
        ...{ uid: "src", kind: "source", name: "n", payload: { a: 1 }, tags: ["t"], priority: undefined },
        retry: { count: 1, delaySec: 2 },
      };
      const connections = [{ from: ["src"], success: ["copy"], error: [] }];
      const definition = aDefinition({ elements: [spec], connections, warnings: ["w"] });
      const run = { ...waitingRun(spec), state: "planning", rounds: 1 } as const;
      const schedule = { ...noSchedule, paused: 5, tags: ["x"] };
      const task = aTaskRow(1, 1, { priority: 7, failure: { cause: "media", message: "m" }, demand: { cores: 2 } });
      await lead.write([
        ...inserted(aJobRow(1), definition),
        { table: "runs", key: [1, "src", ""], before: undefined, after: run, job: 1 },
        { table: "schedules", key: [1], before: undefined, after: schedule, job: 1 },
        { table: "tasks", key: [1], before: undefined, after: task, job: 1, more: noWork },
      ]);
      const loaded = await store.load.job(1);
      expect(loaded).toEqual({
        ...{ row: aJobRow(1), elements: [asStored(spec)], connections, warnings: ["w"], runs: [run], tasks: [task] },
        ...{ schedule, moves: [] },
      });
      expect(await store.load.work(1)).toEqual(noWork.work);
      expect([await store.load.job(2), await store.load.work(2), await store.load.attempt(2)]).toEqual([
        ...[undefined, undefined, undefined],
      ]);
    });

    test("loads instances of batches by their paths, and how far all of them are", async () => {
      const spec = { uid: "copy", kind: "copy", name: "n", payload: {}, tags: [], priority: 5 };
      const retried = { ...spec, retry: { count: 0, delaySec: 0 } };
      const failure = { cause: "media", message: "broken" } as const;
      const batches = { task: 1, files: 3, size: 2 };
      const runs = [
        { ...waitingRun(retried, "2"), state: "failed", failure } as const,
        { ...waitingRun(retried, "10"), state: "succeeded", batches } as const,
      ];
      const tasks = [aTaskRow(1, 1), aTaskRow(2, 1, { path: "2" }), aTaskRow(3, 1, { path: "10" })];
      const files = [{ uri: "file:///in/a.mov", size: 10, modified: 1000 }];
      await lead.write([
        ...inserted(aJobRow(1), aDefinition({ elements: [retried] })),
        ...runs.map(
          (run) => ({ table: "runs", key: [1, "copy", run.path], before: undefined, after: run, job: 1 }) as const,
        ),
        ...tasks.map(({ id, path }) => aTask(id, 1, { path })),
        { table: "listings", key: [1, 0], before: undefined, after: { files }, job: 1 },
      ]);
      expect(await store.load.job(1)).toMatchObject({
        runs: [waitingRun(retried)],
        tasks: [tasks[0]],
        moves: [
          { uid: "copy", path: "10", state: "succeeded", batches },
          { uid: "copy", path: "2", state: "failed", message: "broken" },
        ],
      });
      expect(await store.load.instances(1, ["2"])).toEqual({ runs: [runs[0]], tasks: [tasks[1]] });
      expect(await store.load.runsOf(1, "copy")).toEqual([runs[1], runs[0]]);
      expect([await store.load.listing(1, 0), await store.load.listing(1, 1)]).toEqual([{ files }, undefined]);
    });

    test("refuses a change of a row that is not there", async () => {
      await expect(lead.write([changed(aJobRow(9), { name: "b" })])).rejects.toMatchObject({ kind: "content" });
    });

    test("removes a job with all that belongs to it, also what the same batch changes", async () => {
      await lead.write([...inserted(aJobRow(1)), aTask(1, 1), ...inserted(aJobRow(2)), aTask(2, 2)]);
      const ended = { ...aTaskRow(1, 1), state: "failed" } as const;
      await lead.write([
        { table: "tasks", key: [1], before: aTaskRow(1, 1), after: ended, job: 1 },
        removed(aJobRow(1)),
        aTask(3, 1),
      ]);
      expect([await store.jobs.tasks(1), (await store.jobs.tasks(2)).length]).toEqual([[], 1]);
    });

    test("clears away what a removed job leaves, some rows at a time, and nothing else", async () => {
      const ids = Array.from({ length: 250 }, (_, nr) => nr + 1);
      await lead.write([...inserted(aJobRow(1)), ...ids.map((id) => aTask(id, 1)), ...inserted(aJobRow(2))]);
      await lead.write([aTask(300, 2)]);
      expect(await store.clearLeftovers()).toBe(false);
      await lead.write([removed(aJobRow(1))]);
      let slices = 0;
      while (await store.clearLeftovers()) slices += 1;
      expect(slices).toBeGreaterThan(2);
      const works = await Promise.all([1, 250, 300].map((id) => store.load.work(id)));
      expect(works).toEqual([undefined, undefined, noWork.work]);
    });

    test("counts jobs by state with every batch", async () => {
      await lead.write([1, 2, 3].flatMap((id) => inserted(aJobRow(id))));
      await lead.write([changed(aJobRow(2), { status: "completed", substatus: null }), removed(aJobRow(3))]);
      expect(await store.jobs.states()).toEqual([
        { status: "completed", substatus: null, n: 1 },
        { status: "queued", substatus: "waiting", n: 1 },
      ]);
    });

    test("remembers the ids that were given, whatever became of them", async () => {
      await lead.write(inserted(aJobRow(7)), { jobs: 7 });
      await lead.write([removed(aJobRow(7))], { jobs: 7 });
      expect((await store.recall(10)).counters.jobs).toBe(7);
    });

    test("sorts nulls first and texts by their bytes, and gives ids as numbers", async () => {
      const tags = [null, "b", "B", "\u{1f600}", "\uff5e"];
      await lead.write(tags.flatMap((user_tag, at) => inserted(aJobRow(at + 1, { user_tag }))));
      const query = { ids: undefined, filters: [], order: "asc", sortField: "user_tag", skip: 0, take: 10 } as const;
      expect((await store.jobs.list(query)).map(({ id }) => id)).toEqual([1, 3, 2, 5, 4]);
    });

    test.each(["\u0000 in the middle", "a lone \ud800", "'; DROP TABLE jobs; --"])(
      "keeps the text %j",
      async (text) => {
        await lead.write(inserted(aJobRow(1, { error: text.replaceAll("\ud800", "\ufffd") })));
        expect((await store.load.job(1))?.row.error).toBe(text.replaceAll("\ud800", "\ufffd"));
      },
    );

    test("nominates jobs to begin by priority and age, and those that have expired", async () => {
      const rows = [
        aJobRow(1, { priority: 5 }),
        aJobRow(2, { priority: 9 }),
        aJobRow(3, { priority: 9 }),
        aJobRow(4, { begun: 1, status: "completed", substatus: null, expiration_time: 50 }),
      ];
      await lead.write(rows.flatMap((row) => inserted(row)));
      expect((await store.due.toBegin(2)).map(({ id }) => id)).toEqual([2, 3]);
      expect((await store.due.toBegin(9)).map(({ id }) => id)).toEqual([2, 3, 1]);
      expect([await store.due.expired(49), await store.due.expired(50)]).toEqual([[], [4]]);
    });

    test("does whole operations once, however many ask at once", async () => {
      const person = (name: string) => ({ name, role: "owner" as const, passwordHash: "h", created: 1 });
      const pass = (hash: string) => ({ hash, now: 1, expires: 100, most: 2 });
      const made = await Promise.all([
        store.people.insertFirst(person("Ada"), pass("1")),
        store.people.insertFirst(person("Eve"), pass("2")),
      ]);
      expect(made.map((each) => each?.name)).toEqual(["Ada", undefined]);
      expect(await store.people.remove("ADA")).toBe("last owner");
      expect(await store.people.signIn("ada", "another", pass("3"))).toBeUndefined();
      expect((await store.people.session("1"))?.name).toBe("Ada");
    });

    test("a value that two want to make first is made once", async () => {
      const made = await Promise.all([store.meta.ensure("key", "one"), store.meta.ensure("key", "other")]);
      expect([...made, await store.meta.get("key")]).toEqual(["one", "one", "one"]);
    });

    test("a saved view is replaced even where there is room for no other", async () => {
      const view = (name: string, state: string) => ({ page: "jobs" as const, name, search: { state } });
      expect(await store.savedViews.put(view("tonight", "failed"), 1)).toBe(true);
      expect(await store.savedViews.put(view("tonight", "waiting"), 1)).toBe(true);
      expect(await store.savedViews.put(view("today", "failed"), 1)).toBe(false);
      expect(await store.savedViews.all()).toEqual([view("tonight", "waiting")]);
    });
  });
};

const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value));
