import { expect, test } from "vitest";
import { createMemo } from "../../../coordinator/db/memo.ts";
import type { TaskRow } from "../../../coordinator/db/tasks.ts";

const aTask = (id: number, job_id: number) => ({ id, job_id }) as TaskRow; // the memo looks at nothing else

test("a job's parts stay until it is forgotten, and its tasks go with it", () => {
  const memo = createMemo();
  memo.of(1).connections = [];
  memo.of(1).tasks = new Map();
  memo.putTask(1, aTask(7, 1));
  expect(memo.ofTask(7)).toBe(memo.of(1));
  memo.forget(1);
  expect(memo.ofTask(7)).toBeUndefined();
  expect(memo.of(1)).toEqual({});
});

test("a task is kept only where all of its job's tasks are known", () => {
  const memo = createMemo();
  memo.putTask(1, aTask(7, 1));
  expect(memo.of(1)).toEqual({});
  expect(memo.ofTask(7)).toBeUndefined();
});

test("the job that was used longest ago goes first", () => {
  const memo = createMemo({ jobs: 1, tasks: 100 });
  memo.of(1).runs = [];
  memo.of(2).runs = [];
  memo.of(1);
  memo.of(3);
  expect([memo.of(1), memo.of(2)]).toEqual([{ runs: [] }, {}]);
});

test("jobs with many tasks make room", () => {
  const memo = createMemo({ jobs: 100, tasks: 2 });
  memo.of(1).tasks = new Map();
  for (const id of [1, 2, 3]) memo.putTask(1, aTask(id, 1));
  memo.of(2);
  expect(memo.ofTask(1)).toBeUndefined();
});

test("of works and attempts those are kept that came last, until all is forgotten", () => {
  const memo = createMemo();
  const work = { assets: {}, outputs: {}, steps: [] };
  for (let id = 1; id <= 2001; id += 1) memo.works.set(id, work);
  expect([memo.works.get(1), memo.works.get(2), memo.works.get(2001)]).toEqual([undefined, work, work]);
  memo.clear();
  expect(memo.works.get(2001)).toBeUndefined();
});
