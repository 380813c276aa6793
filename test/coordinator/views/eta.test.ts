import { describe, expect, test } from "vitest";
import { type Effort, finishes, learn, leftOf, placesOf, type Sample } from "../../../coordinator/views/eta.ts";

const effort = (more: Partial<Effort> = {}): Effort => ({
  ...{ kind: "transcode", purpose: "work", codec: "h264", seconds: 60, pixels: 1_000_000 },
  ...more,
});
const sample = (wallMs: number, more: Partial<Effort> = {}): Sample => ({ ...effort(more), wallMs });

describe("what a task takes", () => {
  const model = learn([sample(60_000), sample(66_000), sample(54_000), sample(30_000, { seconds: 30 })]);

  test("grows with its seconds and its pixels", () => {
    expect(model.guess(effort())?.likely).toBeCloseTo(60_000, -3);
    expect(model.guess(effort({ seconds: 600, pixels: 2_000_000 }))?.likely).toBeCloseTo(1_200_000, -5);
  });

  test("is guessed by the seconds where its codec was never seen, and is unknown for another kind", () => {
    expect(model.guess(effort({ codec: "prores" }))?.group).toBe("transcode by second");
    expect(model.guess(effort({ kind: "package", seconds: null }))).toBeUndefined();
  });

  test("is unknown after one sample", () => {
    expect(learn([sample(1000)]).guess(effort())).toBeUndefined();
  });

  test("is what is left of a running one by its own pace", () => {
    expect(leftOf(undefined, 60_000, 75)?.likely).toBe(20_000);
    expect(leftOf(undefined, 60_000, undefined)).toBeUndefined();
  });
});

describe("the end of a queue", () => {
  const guess = { likely: 60_000, spread: 0.1, doubt: 0.05, group: "g" };
  const task = (jobId: number) => ({ jobId, left: guess, isRunning: false });

  test("comes as many times later as there are tasks for a slot", () => {
    const { all } = finishes({ slots: 2, tasks: [1, 1, 2, 2, 2, 2].map(task), later: new Map(), unbegun: [] });
    expect(all?.likely).toBeGreaterThan(170_000);
    expect(all?.likely).toBeLessThan(215_000);
    expect((all?.to ?? 0) / (all?.from ?? 1)).toBeLessThan(2);
  });

  test("is each job's own, in the order in which they start", () => {
    const { jobs } = finishes({ slots: 1, tasks: [1, 2].map(task), later: new Map([[2, [guess]]]), unbegun: [] });
    expect((jobs.get(2)?.likely ?? 0) / (jobs.get(1)?.likely ?? 1)).toBeGreaterThan(2.5);
  });

  test("is not known without slots or tasks, and the same for the same farm", () => {
    expect(finishes({ slots: 0, tasks: [task(1)], later: new Map(), unbegun: [] }).all).toBeUndefined();
    const farm = { slots: 2, tasks: [1, 2, 3].map(task), later: new Map(), unbegun: [] };
    expect(finishes(farm)).toEqual(finishes(farm));
  });
});

describe("the start of a job that waits", () => {
  const guess = { likely: 60_000, spread: 0.1, doubt: 0.05, group: "g" };
  const open = (jobId: number, isRunning: boolean) => ({ jobId, left: guess, isRunning });
  const minutes = (ms: number | undefined) => Math.round((ms ?? 0) / 60_000);

  test("comes when a slot is free, and is now for one that runs", () => {
    const { starts } = finishes({ slots: 1, tasks: [open(1, true), open(2, false)], later: new Map(), unbegun: [] });
    expect([minutes(starts.get(1)?.likely), minutes(starts.get(2)?.likely)]).toEqual([0, 1]);
  });

  test("of jobs without tasks comes in their order, behind all tasks, and their end after it", () => {
    const later = new Map([7, 8].map((id) => [id, [guess, guess]] as const));
    const { starts, jobs, all } = finishes({ slots: 1, tasks: [open(1, true)], later, unbegun: [8, 7] });
    expect([8, 7].map((id) => [minutes(starts.get(id)?.likely), minutes(jobs.get(id)?.likely)])).toEqual([
      [1, 3],
      [3, 5],
    ]);
    expect(minutes(all?.likely)).toBe(5);
  });

  test("has a place, by priority and age; what runs has none", () => {
    const jobs = [5, 2, 9, 4].map((id) => ({ id, priority: id === 9 ? 200 : 100 }));
    const places = placesOf(jobs, ({ id }) => id !== 4, new Set([2]));
    expect([...places]).toEqual([
      [9, 1],
      [5, 2],
    ]);
  });
});
