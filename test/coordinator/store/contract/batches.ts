import { expect } from "vitest";
import type { Store } from "../../../../coordinator/store/store.ts";
import {
  aJobRow,
  aTaskRow,
  changed,
  inserted,
  insertedTask,
  leading,
  noWork,
  removed,
} from "../../../helpers/farm/batches.ts";
import type { Contract } from "./contract.ts";

const aTask = (id: number, jobId: number, more = {}) => insertedTask(aTaskRow(id, jobId, more));

/** Leading, and writing in batches. */
export const batches: Contract = {
  "writes a batch as a whole or not at all": async (store) => {
    const lead = await leading(store);
    const twice = [...inserted(aJobRow(1)), ...inserted(aJobRow(1))];
    await expect(lead.write(twice)).rejects.toMatchObject({ kind: "content" });
    expect([await store.load.job(1), await store.jobs.states({ filters: [] })]).toEqual([undefined, []]);
    await lead.write(inserted(aJobRow(1)));
    expect((await store.load.job(1))?.row).toEqual(aJobRow(1));
  },

  "takes batches in their order, of the leader's epoch alone": async (store) => {
    const lead = await leading(store);
    const counters = { jobs: 0, tasks: 0, attempts: 0, nodes: 0 };
    const batch = { epoch: lead.epoch, changes: inserted(aJobRow(1)), counters };
    await expect(store.write({ ...batch, nr: 2 })).rejects.toMatchObject({ kind: "fenced" });
    await expect(store.write({ ...batch, nr: 1, epoch: lead.epoch - 1 })).rejects.toMatchObject({ kind: "fenced" });
    await store.write({ ...batch, nr: 1 });
    expect(await store.leading()).toEqual({ epoch: lead.epoch, batch: 1 });
    await expect(store.write({ ...batch, nr: 1 })).rejects.toMatchObject({ kind: "fenced" });
  },

  "says whether a batch of which nothing was heard is durable, and which one may follow": async (store) => {
    const lead = await leading(store);
    const counters = { jobs: 0, tasks: 0, attempts: 0, nodes: 0 };
    const batch = { epoch: lead.epoch, nr: 1, changes: inserted(aJobRow(1)), counters };
    const settled = await store.settle(batch);
    expect([settled.epoch, settled.batch === 1]).toEqual([lead.epoch, false]);
    expect(await store.settle(batch)).toEqual(settled);
    const next = { ...batch, nr: settled.batch + 1 };
    await store.write(next);
    expect(await store.settle(next)).toEqual({ epoch: lead.epoch, batch: next.nr });
    expect(await store.leading()).toEqual({ epoch: lead.epoch, batch: next.nr });
    await store.lead(0);
    expect(await store.settle({ epoch: lead.epoch, nr: next.nr + 1 })).toEqual({ epoch: lead.epoch + 1, batch: 0 });
  },

  "gives every life a higher epoch, and one that is high enough": async (store) => {
    const lead = await leading(store);
    const next = await store.lead(0);
    expect(next).toEqual({ epoch: lead.epoch + 1, batch: 0 });
    expect(await store.lead(next.epoch + 100)).toEqual({ epoch: next.epoch + 100, batch: 0 });
    await expect(lead.write(inserted(aJobRow(1)))).rejects.toMatchObject({ kind: "fenced" });
  },

  "refuses a change of a row that is not there": async (store) => {
    const lead = await leading(store);
    await expect(lead.write([changed(aJobRow(9), { name: "b" })])).rejects.toMatchObject({ kind: "content" });
  },

  "removes a job with all that belongs to it, also what the same batch changes": async (store) => {
    const lead = await leading(store);
    await lead.write([...inserted(aJobRow(1)), aTask(1, 1), ...inserted(aJobRow(2)), aTask(2, 2)]);
    const ended = { ...aTaskRow(1, 1), state: "failed" } as const;
    await lead.write([
      { table: "tasks", key: [1], before: aTaskRow(1, 1), after: ended, job: 1 },
      removed(aJobRow(1)),
      aTask(3, 1),
    ]);
    expect([await store.jobs.tasks(1), (await store.jobs.tasks(2)).length]).toEqual([[], 1]);
    const { load, jobs } = store;
    expect([await load.job(1), await load.row("definitions", 1), await jobs.task(1), await jobs.report(1)]).toEqual([
      ...[undefined, undefined, undefined, undefined],
    ]);
    expect((await jobs.outline(1)).elements).toEqual([]);
  },

  "clears away what a removed job leaves, some rows at a time, and nothing else": async (store) => {
    const lead = await leading(store);
    const ids = Array.from({ length: 1200 }, (_, nr) => nr + 1);
    await lead.write([...inserted(aJobRow(1)), ...ids.map((id) => aTask(id, 1)), ...inserted(aJobRow(2))]);
    await lead.write([aTask(1300, 2)]);
    expect(await store.maintain({ submissions: 0 })).toBe(false);
    await lead.write([removed(aJobRow(1))]);
    let slices = 0;
    while (await store.maintain({ submissions: 0 })) slices += 1;
    expect(slices).toBeGreaterThan(2);
    const works = await Promise.all([1, 1200, 1300].map((id) => store.load.row("works", id)));
    expect(works).toEqual([undefined, undefined, noWork]);
  },

  "counts jobs by state with every batch": async (store) => {
    const lead = await leading(store);
    await lead.write([1, 2, 3].flatMap((id) => inserted(aJobRow(id))));
    await lead.write([changed(aJobRow(2), { status: "completed", substatus: null }), removed(aJobRow(3))]);
    const found = await store.jobs.states({ filters: [] });
    expect(found.map(({ status, substatus, n }) => `${status} ${substatus} ${n}`).sort()).toEqual([
      ...["completed null 1", "queued waiting 1"],
    ]);
    expect(await store.jobs.states({ filters: [{ field: "substatus", values: [null] }] })).toEqual([
      { status: "completed", substatus: null, n: 1 },
    ]);
  },

  "remembers the ids that were given, whatever became of them": async (store) => {
    const lead = await leading(store);
    await lead.write(inserted(aJobRow(7)), { jobs: 7 });
    await lead.write([removed(aJobRow(7))], { jobs: 7 });
    expect((await store.recall(10)).counters.jobs).toBe(7);
  },
  ...Object.fromEntries(
    ["\u0000 in the middle", "a lone \ud800", "'; DROP TABLE jobs; --"].map((text) => [
      `keeps the text ${JSON.stringify(text)}`,
      async (store: Store) => {
        const stored = text.replaceAll("\ud800", "\ufffd");
        const lead = await leading(store);
        await lead.write(inserted(aJobRow(1, { error: stored })));
        expect((await store.load.job(1))?.row.error).toBe(stored);
      },
    ]),
  ),
};
