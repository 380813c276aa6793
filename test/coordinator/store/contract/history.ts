import { expect } from "vitest";
import type { Change } from "../../../../coordinator/store/batch.ts";
import type { AttemptRow } from "../../../../coordinator/store/rows.ts";
import { aJobRow, removed } from "../../../helpers/farm/batches.ts";
import type { Contract } from "./contract.ts";
import { filled } from "./filled.ts";

/** What happened: the last attempts, and what people did. */
export const history: Contract = {
  "of the last attempts, and of work that is open": async (store) => {
    await filled(store);
    const { recentAttempts } = store;
    const counters = async (from: number, nodeId?: number) =>
      (await recentAttempts.since(from, nodeId)).map(({ counter, cause, job }) => [counter, cause, job]);
    const both = [
      [11, null, "a job"],
      [12, "media", "a job"],
    ];
    expect([await counters(0), await counters(199, 7), await counters(0, 8), await counters(200)]).toEqual([
      both,
      both,
      [],
      [],
    ]);
    const effort = { codec: null, seconds: 12.5, pixels: null };
    expect(await recentAttempts.samples(100)).toEqual([
      { counter: 11, kind: "source", purpose: "work", node_id: 7, wallMs: 40, ...effort },
    ]);
    expect(await recentAttempts.openWork([1, 2], 10)).toEqual([
      { task_id: 3, job_id: 1, kind: "source", purpose: "facts", state: "ready", element_uid: "src", ...effort },
    ]);
    expect([await recentAttempts.openWork([], 10), await recentAttempts.openWork([1], 0)]).toEqual([[], []]);
    expect(await recentAttempts.pendingKinds([1, 2])).toEqual([
      { job_id: 1, kind: "copy" },
      { job_id: 2, kind: "source" },
    ]);
  },

  "of attempts by their counters: of so many of all, what was published, or had not ended until then": async (
    store,
  ) => {
    const lead = await filled(store);
    const attempt = { epoch: 1, task_id: 3, job_id: 1, node_id: 7, assigned: 300 };
    const add = (counter: number, more: Pick<AttemptRow, "state" | "ended">, end = {}): Change => ({
      ...{ table: "attempts", key: [counter], before: undefined, job: 1, more: end },
      after: { ...attempt, counter, ...more },
    });
    const long = { cause: "media", message: "m".repeat(600) };
    await lead.write([
      ...[
        add(13, { state: "lost", ended: 150 }),
        add(14, { state: "published", ended: 160 }),
        add(15, { state: "running", ended: null }),
      ],
      add(16, { state: "failed", ended: 210 }, { failure: long }),
    ]);
    const { recentAttempts, audit } = store;
    const found = await recentAttempts.since(200);
    expect(found.map(({ counter, message }) => [counter, message?.length])).toEqual([
      ...[
        [15, undefined],
        [16, 500],
      ],
    ]);
    const counters = async (most: number) => (await recentAttempts.samples(most)).map(({ counter }) => counter);
    expect([await counters(2), await counters(3), await counters(9)]).toEqual([[], [14], [14, 11]]);
    expect((await recentAttempts.samples(3))[0]).toMatchObject({ wallMs: null, seconds: 12.5, purpose: "facts" });
    await audit.add([{ at: 1, who: "Ada", action: "stop", jobId: 2, nodeId: null, note: null }]);
    expect((await audit.list({}, 9)).length).toBe(1);
    await lead.write([removed(aJobRow(2, { owner: "Ben" }))]);
    expect([await audit.list({}, 9), await audit.last(["stop"], [2])]).toEqual([[], []]);
  },

  "of what people did: the newest first, of one job or node, and the last of each": async (store) => {
    await filled(store);
    const { audit } = store;
    const entry = { at: 1, who: "Ada", action: "stop", jobId: null, nodeId: null, note: null } as const;
    await audit.add([
      { ...entry, jobId: 1 },
      { ...entry, at: 2, jobId: 1, action: "pause", note: "why" },
      { ...entry, at: 3, nodeId: 7, action: "drain" },
      { ...entry, at: 4, jobId: 99 },
    ]);
    const times = (rows: readonly { readonly at: number }[]) => rows.map(({ at }) => at);
    expect([
      times(await audit.list({ jobId: 1 }, 9)),
      times(await audit.list({ jobId: 1 }, 1)),
      times(await audit.list({ nodeId: 7 }, 9)),
    ]).toEqual([...[[2, 1], [2], [3]]]);
    expect((await audit.list({}, 9)).map(({ at, jobName }) => [at, jobName])).toEqual([
      [3, null],
      [2, "a job"],
      [1, "a job"],
    ]);
    expect(times(await audit.last(["stop", "pause"], [1, 2]))).toEqual([2]);
    expect([times(await audit.last(["stop"], [1])), times(await audit.last(["drain"], "nodes"))]).toEqual([[1], [3]]);
    expect(await audit.last(["stop"], [])).toEqual([]);
  },
};
