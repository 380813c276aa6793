import { expect } from "vitest";
import type { Change } from "../../../../coordinator/store/batch.ts";
import { filesAVersion } from "../../../../coordinator/store/job-reads.ts";
import { waitingRun } from "../../../../coordinator/store/rows.ts";
import type { Failure } from "../../../../shared/model/failure.ts";
import type { ElementSpec } from "../../../../shared/model/job.ts";
import type { Published } from "../../../../shared/work/work.ts";
import { aJobRow, aTaskRow, insertedTask } from "../../../helpers/farm/batches.ts";
import type { Contract } from "./contract.ts";
import { connections, elements, failure, file, filled, node, work } from "./filled.ts";

/** What is read of jobs, and at a start. */
export const jobReads: Contract = {
  "of a job: its definition, its parts, and nothing of one that is not there": async (store) => {
    await filled(store);
    const { jobs, load } = store;
    expect([await load.row("jobs", 2), await load.row("jobs", 9)]).toEqual([aJobRow(2, { owner: "Ben" }), undefined]);
    expect([await load.row("definitions", 1), await load.row("definitions", 9)]).toEqual([
      { definition: '{"a":1}', elements, connections, warnings: ["w"] },
      undefined,
    ]);
    expect([await jobs.report(9), await jobs.task(9), await jobs.tasks(9), await jobs.logs(9)]).toEqual([
      ...[undefined, undefined, [], []],
    ]);
  },

  "of its tasks: a task's own priority or its job's, its node, and why it failed": async (store) => {
    await filled(store);
    const { jobs } = store;
    expect([(await jobs.task(1))?.priority, (await jobs.task(3))?.priority]).toEqual([100, 9]);
    expect((await jobs.tasks(1)).map(({ id, node_id }) => [id, node_id])).toEqual([
      [1, 7],
      [2, 7],
      [3, null],
    ]);
    expect(await jobs.logs(1)).toMatchObject([{ counter: 11, log: "a log", stats: { wallMs: 40 }, node: "seven" }]);
    expect(await jobs.taskStatesOf([1, 2])).toEqual(
      expect.arrayContaining(["completed", "failed", "ready"].map((state) => ({ job_id: 1, state, n: 1 }))),
    );
    const page = { skip: 0, take: 10 };
    expect((await jobs.tasks(1, page)).map(({ id, node, failure }) => [id, node, failure])).toEqual([
      [1, "seven", undefined],
      [2, "seven", failure],
      [3, null, undefined],
    ]);
    expect((await jobs.tasks(1, { ...page, states: ["ready"] })).map(({ id }) => id)).toEqual([3]);
    expect([await jobs.tasks(1, { ...page, states: [] }), await jobs.tasks(1, { ...page, element: "x" })]).toEqual([
      ...[[], []],
    ]);
    expect((await jobs.tasks(1, { skip: 1, take: 1 })).map(({ id }) => id)).toEqual([2]);
  },

  "of a stopped task: it is stopped, also where its failure holds a secret and is encrypted": async (store) => {
    const { write } = await filled(store);
    const states = async () =>
      Object.fromEntries((await store.jobs.taskStatesOf([1])).map(({ state, n }) => [state, n]));
    const said = (message: string): Failure => ({ cause: "cancelled", message });
    const task = (id: number, failure: Failure) => insertedTask(aTaskRow(id, 1, { state: "failed", failure }));
    await write([task(8, said("stopped")), task(9, said("stopped while it read ftp://ada:secret@host/a.mov"))]);
    expect(await states()).toEqual({ completed: 1, failed: 1, ready: 1, stopped: 2 });
    const page = { skip: 0, take: 10, states: ["stopped" as const] };
    expect((await store.jobs.tasks(1, page)).map(({ id }) => id)).toEqual([8, 9]);
    await write([
      {
        ...{ table: "tasks", key: [9], job: 1 },
        before: aTaskRow(9, 1, { state: "failed", failure: said("stopped while it read ftp://ada:secret@host/a.mov") }),
        after: aTaskRow(9, 1),
      },
    ]);
    expect(await states()).toEqual({ completed: 1, failed: 1, ready: 2, stopped: 1 });
  },

  "of the whole job at one moment": async (store) => {
    await filled(store);
    const report = await store.jobs.report(1);
    expect(report).toMatchObject({ row: { id: 1 }, warnings: ["w"], elements });
    expect(report?.tasks.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(report?.works.get(1)).toEqual(work);
    const { name, machine } = node.profile;
    expect(report?.attempts.map((each) => [each.counter, each.node, each.machine, each.failure])).toEqual([
      [11, name, machine, undefined],
      [12, name, machine, failure],
    ]);
  },

  "of what a job consists of, how many instances are in which state, and how often what follows runs": async (
    store,
  ) => {
    await filled(store);
    const { runs, ...outline } = await store.jobs.outline(1);
    const named = elements.map(({ uid, kind, name }) => ({ uid, kind, name }));
    expect(outline).toEqual({ elements: named, connections, warnings: ["w"] });
    expect(runs.toSorted((a, b) => (a.uid < b.uid ? -1 : 1))).toEqual([
      { uid: "list", state: "succeeded", n: 1, below: 3, isNumbered: 0, failure: null },
      { uid: "src", state: "failed", n: 1, below: 1, isNumbered: 0, failure },
    ]);
    expect(await store.jobs.outline(9)).toEqual({ elements: [], connections: [], warnings: [], runs: [] });
  },

  "of what was made: files by page and by version, and results up to a limit": async (store) => {
    await filled(store);
    const { jobs } = store;
    const row = { element_uid: "src", task_id: 1 };
    const all = [
      { ...row, position: 0, version: "named", file: file("1.mov") },
      { ...row, position: 1, version: "named", file: file("2.mov") },
      { ...row, position: 2, version: "b", file: { uri: "file:///out/3.mov" } },
    ];
    expect(await jobs.outputs(1, 0, 10)).toEqual({ rows: all, count: 3 });
    expect([await jobs.outputs(1, 1, 1), await jobs.outputs(2, 0, 9)]).toEqual([
      { rows: [all[1]], count: 3 },
      { rows: [], count: 0 },
    ]);
    const shown = (uri: string, size: number | null) => ({ uri, size, facts: undefined });
    const [one, two, three] = [
      shown("file:///out/1.mov", 10),
      shown("file:///out/2.mov", 10),
      shown("file:///out/3.mov", null),
    ];
    expect(await jobs.files(1)).toEqual([
      { element_uid: "src", version: "named", file_count: 2, files: [one, two] },
      { element_uid: "src", version: "b", file_count: 1, files: [three] },
    ]);
    const { id: _, ...found } = { id: 0, ...row, name: "t", results: { loudness: {} } };
    expect([await jobs.findings(1, 1000), await jobs.findings(1, 3)]).toEqual([[found], []]);
  },

  "of files: the first ones of each version, in the order of tasks, without sections and what is not completed": async (
    store,
  ) => {
    const lead = await filled(store);
    const many = Array.from({ length: filesAVersion + 1 }, (_, nr) => file(`${nr}.jpg`));
    const published = { outputs: { a: many }, results: { loudness: {} } } as unknown as Published; // of its reader
    const task = (id: number, more: object) => insertedTask(aTaskRow(id, 2, { published, ...more }), { work });
    await lead.write([
      task(22, { state: "completed", element_uid: "two", purpose: "work" }),
      task(21, { state: "completed", element_uid: "one", purpose: "facts" }),
      ...[task(23, { state: "completed", purpose: "stage" }), task(24, { state: "failed", purpose: "work" })],
      task(25, { state: "running", purpose: "work" }),
    ]);
    const { jobs } = store;
    const version = { version: "named", file_count: many.length };
    expect((await jobs.files(2)).map(({ files, ...rest }) => [rest, files.length, files.at(-1)?.uri])).toEqual([
      [{ element_uid: "one", ...version }, filesAVersion, many.at(-2)?.uri],
      [{ element_uid: "two", ...version }, filesAVersion, many.at(-2)?.uri],
    ]);
    const { rows, count } = await jobs.outputs(2, many.length - 1, 2);
    expect([count, rows.map(({ task_id, position }) => [task_id, position])]).toEqual([
      2 * many.length,
      [
        [21, many.length - 1],
        [22, 0],
      ],
    ]);
    const found = async (atMost: number) => (await jobs.findings(2, atMost)).map(({ task_id }) => task_id);
    const one = JSON.stringify(published.results).length;
    expect([await found(2 * one), await found(2 * one - 1), await found(one - 1)]).toEqual([[22, 24], [22], []]);
  },

  "of instances of batches: how many of an element are in a state, and how often what follows them runs": async (
    store,
  ) => {
    const lead = await filled(store);
    const [, list = elements[0]] = elements;
    const run = (path: string, more: object): Change => ({
      ...{ table: "runs", key: [2, "list", path], before: undefined, job: 2 },
      after: { ...waitingRun({ ...list, priority: 5 } as ElementSpec, path), ...more }, // of a definition
    });
    const batches = { task: 1, files: 5, size: 2 };
    await lead.write([
      ...[run("0", { state: "succeeded", batches }), run("1", { state: "succeeded" }), run("2", { state: "running" })],
      ...[
        run("3", { state: "failed", failure }),
        run("4", { state: "failed", failure }),
        run("5", { state: "skipped" }),
      ],
    ]);
    const { runs } = await store.jobs.outline(2);
    expect(
      runs
        .map(({ state, n, below, isNumbered, failure }) => `${state} ${n} ${below} ${isNumbered} ${failure?.message}`)
        .sort(),
    ).toEqual([
      ...["failed 2 2 1 broken", "running 1 0 1 undefined", "skipped 1 1 1 undefined", "succeeded 2 4 1 undefined"],
    ]);
  },

  "of lists: nothing is asked of no values, and owners are named once": async (store) => {
    await filled(store);
    const { jobs } = store;
    expect([await jobs.owners(9), await jobs.owners(1)]).toEqual([["Ana", "Ben"], ["Ana"]]);
    expect(await jobs.count({ ids: [2, 9], filters: [] })).toBe(1);
    expect([await jobs.count({ ids: [], filters: [] }), await jobs.taskStatesOf([])]).toEqual([0, []]);
  },

  "of a start: what is open, what is held, and how the last attempts ended": async (store) => {
    await filled(store);
    const recalled = await store.recall(10);
    expect(recalled).toMatchObject({ active: [1], held: [], turns: [[1, 12]] });
    expect(recalled.nodes).toEqual([node]);
    expect(recalled.tasks.map(({ id, priority, jobId }) => [id, priority, jobId])).toEqual([[3, 9, 1]]);
    expect(recalled.endings.map(({ taskId, cause }) => [taskId, cause])).toEqual([
      [1, undefined],
      [2, "media"],
    ]);
    expect(recalled.failures.map(({ taskId, nodeId }) => [taskId, nodeId])).toEqual([[2, 7]]);
  },
};
