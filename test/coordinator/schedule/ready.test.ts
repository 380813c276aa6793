import { describe, expect, test } from "vitest";
import { choose } from "../../../coordinator/schedule/choose.ts";
import { countFree } from "../../../coordinator/schedule/fit.ts";
import type { Offer } from "../../../coordinator/schedule/node-facts.ts";
import type { OpenTask } from "../../../coordinator/schedule/open-task.ts";
import { createReadyIndex, type ReadyIndex } from "../../../coordinator/schedule/ready.ts";
import { aNode, anIndexOf, anOpenTask, calm } from "../../helpers/farm/schedule.ts";

const idle: Offer = { node: aNode(), free: countFree(aNode(), []) };

/** The ids that an idle node would be given, one after the other. */
const drain = (index: ReadyIndex, offer = idle): number[] => {
  const ids: number[] = [];
  for (let task = choose(offer, index.sets(), calm); task; task = choose(offer, index.sets(), calm)) {
    ids.push(task.id);
    index.keepTurn(index.take(task));
  }
  return ids;
};

/** An index that remembers when jobs had their turns. */
const recalling = (turns: [number, number][], ...tasks: OpenTask[]): ReadyIndex => {
  const index = createReadyIndex();
  index.recallTurns(turns);
  for (const task of tasks) index.add(task);
  return index;
};

const ofJob = (jobId: number, ...ids: number[]) => ids.map((id) => anOpenTask(id, { jobId }));

describe("the order", () => {
  test("is strict between priorities", () => {
    const urgent = [anOpenTask(8, { jobId: 9, priority: 200 }), anOpenTask(9, { jobId: 9, priority: 200 })];
    expect(drain(anIndexOf(...ofJob(1, 1, 2), ...urgent))).toEqual([8, 9, 1, 2]);
  });

  test("takes jobs that have begun before those that have not", () => {
    expect(drain(recalling([[2, 1]], ...ofJob(1, 1), ...ofJob(2, 2, 3)))).toEqual([2, 3, 1]);
  });

  test("goes round the jobs that have begun, the older first", () => {
    const turns: [number, number][] = [
      [1, 5],
      [2, 6],
      [3, 4],
    ];
    const index = recalling(turns, ...ofJob(1, 1, 2, 3), ...ofJob(2, 11, 12, 13), ...ofJob(3, 21));
    expect(drain(index)).toEqual([21, 1, 11, 2, 12, 3, 13]);
  });

  test("takes jobs that have not begun by their age", () => {
    expect(drain(anIndexOf(...ofJob(3, 1), ...ofJob(2, 2), ...ofJob(1, 3)))).toEqual([3, 2, 1]);
  });

  test("gives a job its turn whatever list its task came from", () => {
    const gpu = { node: aNode({ tags: ["gpu"] }), free: idle.free };
    const tasks = [anOpenTask(1, { jobId: 1, tags: ["gpu"] }), ...ofJob(1, 2, 3), ...ofJob(2, 11, 12)];
    const turns: [number, number][] = [
      [1, 1],
      [2, 2],
    ];
    expect(drain(recalling(turns, ...tasks), gpu)).toEqual([1, 11, 2, 12, 3]);
  });

  test("within a job and priority is by age", () => {
    expect(drain(anIndexOf(...ofJob(1, 3, 1, 2)))).toEqual([1, 2, 3]);
  });

  test("forgets a job that has ended", () => {
    const index = anIndexOf(...ofJob(1, 1), ...ofJob(2, 2));
    drain(index);
    index.forgetJob(1);
    for (const task of [...ofJob(1, 3), ...ofJob(2, 4)]) index.add(task);
    expect(drain(index)).toEqual([4, 3]);
  });
});

describe("a turn that is given back", () => {
  const turns: [number, number][] = [
    [1, 1],
    [2, 2],
  ];
  const tasks = [...ofJob(1, 1, 2, 3), ...ofJob(2, 11, 12)];

  test("leaves the job where it was", () => {
    const index = recalling(turns, ...tasks);
    const [first] = tasks;
    if (!first) throw new Error("there are five");
    index.giveBackTurn(index.take(first));
    index.add(first);
    expect(drain(index)).toEqual([1, 11, 2, 12, 3]);
  });

  test.each<[string, [nth: number, end: "kept" | "given back"][], number[]]>([
    [
      "before a later one is",
      [
        [0, "given back"],
        [1, "given back"],
      ],
      [1, 11, 2, 12, 3],
    ],
    [
      "after a later one was",
      [
        [1, "given back"],
        [0, "given back"],
      ],
      [1, 11, 2, 12, 3],
    ],
    [
      "before a later one is kept",
      [
        [0, "given back"],
        [1, "kept"],
      ],
      [11, 1, 12, 3],
    ],
    [
      "after a later one was kept",
      [
        [1, "kept"],
        [0, "given back"],
      ],
      [11, 1, 12, 3],
    ],
    [
      "after an earlier one was kept",
      [
        [0, "kept"],
        [1, "given back"],
      ],
      [11, 2, 12, 3],
    ],
  ])("%s, costs no other turn", (_, ends, order) => {
    const index = recalling(turns, ...tasks);
    const taken = tasks.slice(0, 2).map((task) => ({ task, turn: index.take(task) }));
    for (const [nth, end] of ends) {
      const { task, turn } = taken[nth] as (typeof taken)[number]; // two were taken
      if (end === "kept") index.keepTurn(turn);
      else {
        index.giveBackTurn(turn);
        index.add(task);
      }
    }
    expect(drain(index)).toEqual(order);
  });

  test("was the job's first: it has not begun", () => {
    const index = recalling([[2, 1]], ...tasks);
    const [first] = tasks;
    if (!first) throw new Error("there are five");
    const turn = index.take(first);
    index.giveBackTurn(turn);
    index.add(first);
    expect(drain(index).slice(0, 3)).toEqual([11, 12, 1]);
  });

  test("is no job's if the job has ended", () => {
    const index = anIndexOf(...ofJob(1, 1));
    const turn = index.take(anOpenTask(1));
    index.forgetJob(1);
    index.giveBackTurn(turn);
    index.keepTurn(turn);
    for (const task of [...ofJob(2, 2), ...ofJob(1, 3)]) index.add(task);
    expect(drain(index)).toEqual([3, 2]);
  });
});

describe("a task that is removed", () => {
  test("is chosen no more, wherever it stands", () => {
    const index = anIndexOf(...ofJob(1, 1, 2, 3));
    index.remove(1);
    index.remove(3);
    expect([index.size(), index.get(1), drain(index)]).toEqual([1, undefined, [2]]);
  });

  test("and added again with another priority counts once, as it is now", () => {
    const index = anIndexOf(...ofJob(1, 1, 2));
    index.add(anOpenTask(2, { priority: 200 }));
    index.remove(1);
    index.add(anOpenTask(1, { priority: 50 }));
    expect([index.size(), drain(index)]).toEqual([2, [2, 1]]);
  });

  test("leaves no list behind", () => {
    const index = anIndexOf(anOpenTask(1, { tags: ["a"] }), anOpenTask(2, { tags: ["b"] }));
    index.remove(1);
    expect([...index.sets()].map(({ needs }) => needs.tags)).toEqual([["b"]]);
    index.add(anOpenTask(1, { tags: ["a"] }));
    expect(drain(index, { node: aNode({ tags: ["a", "b"] }), free: idle.free })).toEqual([1, 2]);
  });
});

test("needs are the same in any order", () => {
  const sets = [
    ...anIndexOf(
      anOpenTask(1, { tags: ["a", "b"], demand: { memory: 1, cores: 2 } }),
      anOpenTask(2, { tags: ["b", "a"], demand: { cores: 2, memory: 1, disk: 0 } }),
    ).sets(),
  ];
  expect(sets).toHaveLength(1);
});
