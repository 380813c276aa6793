import { expect } from "vitest";
import type { Change } from "../../../../coordinator/store/batch.ts";
import { type JobSchedule, noSchedule, waitingRun } from "../../../../coordinator/store/rows.ts";
import {
  aDefinition,
  aJobRow,
  aTaskRow,
  inserted,
  insertedTask,
  leading,
  noWork,
} from "../../../helpers/farm/batches.ts";
import type { Contract } from "./contract.ts";

const aTask = (id: number, jobId: number, more = {}) => insertedTask(aTaskRow(id, jobId, more));

/** What decisions load of a job. */
export const loads: Contract = {
  "loads what was written, with everything of a job": async (store) => {
    const lead = await leading(store);
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
    expect(await store.load.row("works", 1)).toEqual(noWork);
    expect(await store.load.row("schedules", 1)).toEqual(schedule);
    expect([await store.load.job(2), await store.load.row("works", 2), await store.load.row("attempts", 2)]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  },

  "jobs and work that are asked for at once come each to whoever asked, twice where two did, and nothing where there is none":
    async (store) => {
      const lead = await leading(store);
      const ids = Array.from({ length: 120 }, (_, nr) => nr + 1);
      const base = { uid: "src", kind: "source", name: "n", payload: {}, tags: [] };
      const spec = { ...base, priority: undefined, retry: { count: 0, delaySec: 0 } };
      await lead.write(
        ids.flatMap((id) => [
          ...inserted(aJobRow(id), aDefinition({ elements: [spec], warnings: [`of ${id}`] })),
          aTask(2 * id, id),
          ...(id % 2 === 0 ? [aTask(2 * id - 1, id)] : []),
        ]),
      );
      const asked = [...ids, 7, 8, 121];
      const loaded = await Promise.all(asked.map((id) => store.load.job(id)));
      expect(loaded.map((job) => job && [job.row.id, job.warnings, job.tasks.map(({ id }) => id)])).toEqual(
        asked.map((id) =>
          id === 121 ? undefined : [id, [`of ${id}`], id % 2 === 0 ? [2 * id - 1, 2 * id] : [2 * id]],
        ),
      );
      const works = await Promise.all([2, 4, 4, 999].map((id) => store.load.row("works", id)));
      expect(works).toEqual([noWork, noWork, noWork, undefined]);
      expect(works[1]).not.toBe(works[2]); // each may keep its own
    },

  "loads instances of batches by their paths, and how far all of them are": async (store) => {
    const lead = await leading(store);
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
    const loaded = await store.load.job(1);
    expect(loaded).toMatchObject({ runs: [waitingRun(retried)], tasks: [tasks[0]] });
    expect(loaded?.moves.toSorted(byPath)).toEqual([
      { uid: "copy", path: "10", state: "succeeded", batches, message: undefined },
      { uid: "copy", path: "2", state: "failed", batches: undefined, message: "broken" },
    ]);
    expect(await store.load.instances(1, ["2", "3"])).toEqual({ runs: [runs[0]], tasks: [tasks[1]] });
    const both = await store.load.instances(1, ["10", "2"]);
    expect([both.runs.toSorted(byPath), both.tasks]).toEqual([
      [runs[1], runs[0]],
      [tasks[1], tasks[2]],
    ]);
    expect((await store.load.runsOf(1, "copy")).toSorted(byPath)).toEqual([runs[1], runs[0]]);
    expect(await store.load.runsOf(1, "other")).toEqual([]);
    expect([await store.load.row("listings", 1, 0), await store.load.row("listings", 1, 1)]).toEqual([
      { files },
      undefined,
    ]);
  },

  "nominates jobs to begin by priority and age, and those that have expired": async (store) => {
    const lead = await leading(store);
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
  },

  "nominates no job that is paused or scheduled, until it is neither": async (store) => {
    const lead = await leading(store);
    const schedule = (job: number, after: Partial<JobSchedule>, before?: Partial<JobSchedule>): Change => ({
      ...{ table: "schedules", key: [job], job, after: { ...noSchedule, ...after } },
      before: before && { ...noSchedule, ...before },
    });
    await lead.write([
      ...[1, 2, 3, 4].flatMap((id) => inserted(aJobRow(id))),
      ...[schedule(1, { paused: 5 }), schedule(2, { startAfter: 9 }), schedule(3, { tags: ["t"] })],
    ]);
    const ids = async () => (await store.due.toBegin(9)).map(({ id }) => id);
    expect([await ids(), (await store.due.toBegin(1)).map(({ id }) => id)]).toEqual([[3, 4], [3]]);
    await lead.write([schedule(1, {}, { paused: 5 }), schedule(4, { paused: 5 })]);
    expect(await ids()).toEqual([1, 3]);
  },
};

const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => (a.path < b.path ? -1 : 1);

const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value));
