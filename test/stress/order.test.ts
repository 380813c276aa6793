import { describe, expect, test } from "vitest";
import type { StoreImage } from "../helpers/farm/store-audit.ts";
import { lostPriorities, type PriorityChange, prioritiesBetween, wrongOrder } from "./order.ts";

/** One job, its only task, and the one attempt of that. */
type Story = Partial<{
  job: number;
  submitted: number;
  ready: number;
  given: number;
  tags: readonly string[];
  weight: string;
  state: string;
}>;

/** What a store says once all of these have been given to one node, in the order of `given`. */
const aStore = (...stories: Story[]): StoreImage => {
  const all = stories.map((story, index) => ({
    ...{ job: index + 1, submitted: 100, ready: 0, given: 0, tags: [], weight: "full", state: "published" },
    ...story,
    id: index + 1,
  }));
  const inOrder = all.toSorted((a, b) => a.given - b.given);
  const jobs = new Map(all.map(({ job, submitted }) => [job, { ...aJob, id: job, submitted, priority: submitted }]));
  return {
    jobs: [...jobs.values()],
    tasks: all.map(({ id, job, ready, tags, weight }) => ({
      ...{ ...aTask, id, job_id: job, ready_time: ready, tags: JSON.stringify(tags), weight },
    })),
    attempts: inOrder.map(({ id, given, state }, index) => ({
      ...{
        counter: index + 1,
        epoch: 1,
        task_id: id,
        node_id: 1,
        state,
        assigned: given,
        ended: given + 10,
        failure: null,
      },
    })),
    nodes: [{ id: 1, tags: '["night"]' }],
  };
};

const aJob = { name: "", parent_id: null, status: "completed", progress: 100, error: null };
const aTask = {
  ...{ state: "completed", demand: "{}", requires: "[]", retry_nr: 0, retry_count: 0, losses: 0 },
  ...{ attempt: 1, intent: null, failure: null },
};

const aChange = (more: Partial<PriorityChange>): PriorityChange => ({
  ...{ jobId: 1, priority: 200, asked: 1000, answered: 1100, ...more },
});

describe("the priorities of a job", () => {
  test.each([
    ["before a change is asked for, that of its definition", 0, 999, [100]],
    ["while it is under way, either", 900, 1050, [100, 200]],
    ["once it is answered, the new one alone", 1100, 1200, [200]],
  ])("%s", (_, from, to, expected) => {
    expect(prioritiesBetween(100, [aChange({})], from, to)).toEqual(expected);
  });

  test("a change that nobody answered may hold for ever, until another one is answered", () => {
    const changes = [aChange({ answered: undefined }), aChange({ priority: 10, asked: 5000, answered: 5010 })];
    expect(prioritiesBetween(100, changes, 4000, 4500)).toEqual([100, 200]);
    expect(prioritiesBetween(100, changes, 6000, 6500)).toEqual([10]);
  });

  test("a change that was answered and is not in the store is lost", () => {
    expect(lostPriorities(aStore({}), [aChange({ answered: undefined })])).toEqual([]);
    expect(lostPriorities(aStore({}), [aChange({})])).toEqual(["job 1 has priority 100 instead of 200"]);
  });
});

describe("a wrong order", () => {
  const found = (store: StoreImage, ...changes: PriorityChange[]) => wrongOrder(store, changes);
  const late = { ready: 0, given: 9000 };
  const early = { ready: 0, given: 5000 };

  test("is a lower priority before a higher one", () => {
    expect(found(aStore({ ...late, submitted: 200 }, early))).toEqual([
      "task 2 was given out before task 1: priority 100 of job 2, not priority 200 of job 1, which had waited 5000 ms, and was given out 4000 ms later",
    ]);
    expect(found(aStore(late, { ...early, submitted: 200 }))).toEqual([]);
  });

  test("is one by a priority that was changed long enough before", () => {
    const store = aStore({ ...late, submitted: 50 }, early);
    expect(found(store)).toEqual([]);
    expect(found(store, aChange({ asked: 4500, answered: 4600 }))).toEqual([]);
    expect(found(store, aChange({ asked: 1500, answered: 2400 }))).toHaveLength(1);
    expect(found(store, aChange({ asked: 3000, answered: undefined }))).toEqual([]);
  });

  test("is none where what goes first had been chosen, and the disk refused its claim afterwards", () => {
    const store = aStore({ ...late, submitted: 200 }, early);
    expect(wrongOrder(store, [], [{ taskId: 1, at: early.given + 50 }])).toEqual([]);
    expect(wrongOrder(store, [], [{ taskId: 1, at: early.given - 50 }])).toHaveLength(1);
    expect(wrongOrder(store, [], [{ taskId: 2, at: early.given + 50 }])).toHaveLength(1);
  });

  test("is no more one where the priority was lowered", () => {
    const store = aStore({ ...late, submitted: 200 }, early);
    expect(found(store, aChange({ priority: 10 }))).toEqual([]);
    expect(found(store, aChange({ jobId: 2, priority: 250 }))).toEqual([]);
  });

  test.each<[string, Story]>([
    ["was ready for less than the bound", { ready: 4500 }],
    ["asks for a tag that the node lacks", { tags: ["big"] }],
    ["is of another weight", { weight: "light" }],
    ["was given out at the same moment", { given: early.given + 900 }],
  ])("is none where what goes first %s", (_, more) => {
    expect(found(aStore({ ...late, submitted: 200, ...more }, early))).toEqual([]);
  });

  test("is none where the job has failed on the node", () => {
    const failed = { job: 1, given: 100, state: "failed" };
    expect(found(aStore({ ...late, submitted: 200 }, early, failed))).toEqual([]);
    expect(found(aStore({ ...late, submitted: 200 }, early, { ...failed, state: "published" }))).toHaveLength(1);
  });

  test("within a priority is a job that has not begun before one that has", () => {
    const begun = { job: 1, given: 100 };
    expect(found(aStore({ ...late, job: 1 }, { ...early, job: 2 }, begun))).toHaveLength(1);
    expect(found(aStore({ ...late, job: 2 }, { ...early, job: 1 }, begun))).toEqual([]);
  });

  test("within a priority is a job whose turn was later before one whose turn was earlier", () => {
    const turns = [
      { job: 1, given: 100 },
      { job: 2, given: 2000 },
    ];
    expect(found(aStore({ ...late, job: 1 }, { ...early, job: 2 }, ...turns))).toHaveLength(1);
    expect(found(aStore({ ...late, job: 2 }, { ...early, job: 1 }, ...turns))).toEqual([]);
    const atOnce = turns.map((turn) => ({ ...turn, given: 100 }));
    expect(found(aStore({ ...late, job: 1 }, { ...early, job: 2 }, ...atOnce))).toEqual([]);
    const justThen = { job: 1, given: 4900 };
    expect(found(aStore(justThen, { ...late, job: 1 }, { ...early, job: 2 }, ...turns))).toEqual([]);
  });

  test("is the younger of two jobs that have not begun, and the younger task of one job", () => {
    expect(found(aStore(late, early))).toHaveLength(1);
    expect(found(aStore({ ...late, job: 2 }, { ...early, job: 1 }))).toEqual([]);
    expect(found(aStore({ ...late, job: 1 }, { ...early, job: 1 }))).toHaveLength(1);
    expect(found(aStore({ ...early, job: 1 }, { ...late, job: 1 }))).toEqual([]);
  });
});
