import { expect } from "vitest";
import type { Change } from "../../../../coordinator/store/batch.ts";
import { noSchedule } from "../../../../coordinator/store/rows.ts";
import { aJobRow, aTaskRow, inserted, insertedTask, leading, removed } from "../../../helpers/farm/batches.ts";
import type { Contract } from "./contract.ts";
import { failure, node } from "./filled.ts";

type End = Partial<{ state: string; ended: number | null; failure: typeof failure }>;

const anAttempt = (counter: number, task: number, job: number, { failure, ...end }: End = {}): Change =>
  ({
    ...{ table: "attempts", key: [counter], before: undefined, job, more: { failure } },
    after: {
      counter,
      epoch: 1,
      task_id: task,
      job_id: job,
      node_id: 7,
      state: "running",
      assigned: 1,
      ended: null,
      ...end,
    },
  }) as Change; // states as a test names them

const aNode: Change = { table: "nodes", key: [7], before: undefined, after: node };
const active = { status: "active", substatus: "running", begun: 1 } as const;
const ended = { status: "completed", substatus: null, begun: 1 } as const;

/** What a start of the coordinator finds. */
export const starts: Contract = {
  "nothing in a new store, which nobody has led": async (store) => {
    expect(await store.leading()).toEqual({ epoch: 0, batch: 0 });
    const none = { nodes: [], groups: [], limits: [], attempts: [], tasks: [], turns: [], held: [], active: [] };
    const counters = { jobs: 0, tasks: 0, attempts: 0, nodes: 0 };
    expect(await store.recall(10)).toEqual({ ...none, counters, failures: [], endings: [] });
    const [one, two] = await Promise.all([store.lead(1), store.lead(1)]);
    expect([one.epoch, two.epoch].sort()).toEqual([1, 2]);
  },

  "open jobs: which are active, which are held, and the turns that they had": async (store) => {
    const lead = await leading(store);
    const rows = [
      ...[aJobRow(1, active), aJobRow(2), aJobRow(3, { begun: 1 }), aJobRow(4, { ...active, substatus: "paused" })],
      ...[aJobRow(5, ended), aJobRow(6, { substatus: "scheduled" })],
    ];
    const schedule = (job: number, more: object): Change => ({
      ...{ table: "schedules", key: [job], before: undefined, after: { ...noSchedule, ...more }, job },
    });
    await lead.write([
      ...[...rows.flatMap((row) => inserted(row)), aNode],
      ...[
        schedule(1, { tags: ["t"] }),
        schedule(4, { paused: 5 }),
        schedule(5, { paused: 5 }),
        schedule(6, { startAfter: 9 }),
      ],
      insertedTask(aTaskRow(1, 1, { attempt: 11, state: "running" })),
      insertedTask(aTaskRow(2, 1, { attempt: 9, state: "completed" })),
      insertedTask(aTaskRow(3, 5, { attempt: 12, state: "completed" })),
      ...[insertedTask(aTaskRow(4, 3, { state: "delayed" })), insertedTask(aTaskRow(5, 5))],
      ...[
        anAttempt(9, 2, 1, { state: "published", ended: 1 }),
        anAttempt(11, 1, 1),
        anAttempt(12, 3, 5, { state: "lost", ended: 1 }),
      ],
    ]);
    const { active: begun, held, turns, tasks, attempts } = await store.recall(10);
    expect([begun.toSorted(), turns]).toEqual([[1, 3, 4], [[1, 11]]]);
    expect(held.toSorted(([a], [b]) => a - b)).toEqual([
      [4, { ...noSchedule, paused: 5 }],
      [6, { ...noSchedule, startAfter: 9 }],
    ]);
    expect([tasks.map(({ id }) => id).sort(), attempts.map(({ counter }) => counter)]).toEqual([[1, 4], [11]]);
  },

  "how the last attempts ended, in the order of their ends; failures of open jobs alone": async (store) => {
    const lead = await leading(store);
    await lead.write([
      ...[...inserted(aJobRow(1, { ...active, owner_id: "person 7" })), ...inserted(aJobRow(2, ended)), aNode],
      ...[insertedTask(aTaskRow(1, 1)), insertedTask(aTaskRow(2, 2))],
      anAttempt(1, 1, 1, { state: "failed", ended: 900, failure }),
      anAttempt(2, 2, 2, { state: "failed", ended: 700, failure }),
      anAttempt(3, 1, 1, { state: "lost", ended: 100 }),
      anAttempt(4, 1, 1, { state: "published", ended: 500 }),
      anAttempt(5, 1, 1, { state: "failed", ended: 500, failure }),
      anAttempt(6, 1, 1),
    ]);
    const ends = async (most: number) => (await store.recall(most)).endings.map(({ at, cause }) => `${at} ${cause}`);
    expect([await ends(6), await ends(3), await ends(1)]).toEqual([
      ["500 undefined", "500 media", "700 media", "900 media"],
      ["500 undefined", "500 media"],
      [],
    ]);
    const { failures } = await store.recall(1);
    expect(failures.map(({ at, taskId, nodeId, sender }) => [at, taskId, nodeId, sender])).toEqual([
      [900, 1, 7, "person 7"],
      [500, 1, 7, "person 7"],
    ]);
  },

  "no attempt of a job that was removed while it ran, in one batch with the attempt's end": async (store) => {
    const lead = await leading(store);
    await lead.write([...inserted(aJobRow(1, active)), aNode, insertedTask(aTaskRow(1, 1)), anAttempt(1, 1, 1)]);
    const before = anAttempt(1, 1, 1).after;
    const after = anAttempt(1, 1, 1, { state: "cancelled", ended: 5 }).after;
    await lead.write([{ ...anAttempt(1, 1, 1), before, after } as Change, removed(aJobRow(1, active))]); // of one table
    const { attempts, tasks, active: begun, turns } = await store.recall(9);
    expect([attempts, tasks, begun, turns]).toEqual([[], [], [], []]);
  },
};
