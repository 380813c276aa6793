import { describe, expect, test } from "vitest";
import { createLiveProgress } from "../../../coordinator/live/progress.ts";
import { happenedIn } from "../../../coordinator/webhooks/events.ts";
import { hears } from "../../../coordinator/webhooks/outbox.ts";
import { testEvent, webhookData, webhookEventNames, webhookEvents } from "../../../shared/outbound/webhooks.ts";
import { aJobRow, aTaskRow, changed, inserted, insertedTask } from "../../helpers/farm/batches.ts";

const around = {
  job: () => aJobRow(7),
  progress: createLiveProgress(
    () => 0,
    () => 0,
  ),
};
const typesOf = (...changes: Parameters<typeof happenedIn>[0]) => happenedIn(changes, around).map(({ type }) => type);

const queued = aJobRow(7, { user_tag: "trailer", owner: "Ann" });
const active = { status: "active", substatus: "running", start_time: 2000 } as const;

describe("a job's changes", () => {
  test.each([
    ["begins", queued, active, ["job.started"]],
    [
      "runs again",
      { ...queued, ...active, status: "failed", end_time: 3000 },
      { ...active, end_time: null },
      ["job.started"],
    ],
    ["completes", { ...queued, ...active }, { status: "completed", substatus: null, end_time: 9 }, ["job.completed"]],
    ["fails", { ...queued, ...active }, { status: "failed", substatus: null, end_time: 9 }, ["job.failed"]],
    ["is stopped", { ...queued, ...active }, { status: "failed", substatus: "stopped", end_time: 9 }, ["job.stopped"]],
    ["goes on", { ...queued, ...active }, { progress: 50 }, []],
    [
      "ends in the moment in which it begins",
      queued,
      { ...active, status: "completed", end_time: 9 },
      ["job.started", "job.completed"],
    ],
  ] as const)("one that %s", (_, before, after, told) => {
    expect(typesOf(changed(before, after))).toEqual(told);
  });

  test("one that is new is submitted, and one that is deleted is not told of", () => {
    expect(typesOf(...inserted(queued))).toEqual(["job.submitted"]);
    expect(typesOf({ table: "jobs", key: [7], before: queued, after: undefined, job: 7 })).toEqual([]);
  });
});

test("passwords in a name or an error are hidden", () => {
  const failed = { status: "failed", substatus: null, end_time: 9, error: "https://a:b@x.example/ is gone" } as const;
  const [happened] = happenedIn([changed({ ...queued, ...active }, failed)], around);
  expect(JSON.stringify(happened?.data())).not.toContain("a:b@");
});

test("files are told once, the first fifty by name, without passwords", () => {
  const files = Array.from({ length: 60 }, (_, nr) => ({ uri: `ftp://u:pw@x.example/${nr}`, size: nr }));
  const before = aTaskRow(3, 7, { purpose: "work", state: "committing" });
  const after = { ...before, state: "completed", published: { outputs: { out: files }, found: {} } } as const;
  const change = { table: "tasks", key: [3], before, after, job: 7 } as const;
  const [happened] = happenedIn([change], around);
  expect(happened?.data()).toMatchObject({ count: 60, task_id: "3", job: { id: "7" } });
  const shown = webhookData.outputs.parse(happened?.data());
  expect([shown.outputs.length, shown.outputs[1]]).toEqual([
    50,
    { uri: "ftp://u:(hidden)@x.example/1", size: 1, checksum: null },
  ]);
  expect(typesOf({ ...change, before: after })).toEqual([]);
  expect(typesOf(insertedTask(before))).toEqual([]);
});

test("filters name events, tags and users; nodes have no user", () => {
  const [job] = happenedIn([changed(queued, active)], around);
  const wants = (filter: object) => job && hears({ events: ["job.started"], tags: [], users: [], ...filter }, job);
  expect([wants({}), wants({ events: ["job.failed"] })]).toEqual([true, false]);
  expect([wants({ tags: ["trailer", "x"] }), wants({ tags: ["x"] })]).toEqual([true, false]);
  expect([wants({ users: ["Ann"] }), wants({ users: ["Bob"] })]).toEqual([true, false]);
  const node = {
    type: "node.lost",
    about: "node 1",
    tags: ["gpu"],
    user: undefined,
    data: () => ({}) as never,
  } as const;
  const hearsNode = (filter: object) => hears({ events: ["node.lost"], tags: [], users: [], ...filter }, node);
  expect([hearsNode({}), hearsNode({ tags: ["gpu"] }), hearsNode({ users: ["Ann"] })]).toEqual([true, true, false]);
});

test("every event has a shape and a sentence, and none is a test", () => {
  expect(webhookEventNames).not.toContain(testEvent);
  for (const { shape, means } of Object.values(webhookEvents))
    expect([shape in webhookData, means.length > 9]).toEqual([true, true]);
});
