import { describe, expect, test } from "vitest";
import { type Effort, finishes, learn, leftOf, type Sample } from "../../../coordinator/views/eta.ts";

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
    const { all } = finishes({ slots: 2, tasks: [1, 1, 2, 2, 2, 2].map(task), later: new Map() });
    expect(all?.likely).toBeGreaterThan(170_000);
    expect(all?.likely).toBeLessThan(215_000);
    expect((all?.to ?? 0) / (all?.from ?? 1)).toBeLessThan(2);
  });

  test("is each job's own, in the order in which they start", () => {
    const { jobs } = finishes({ slots: 1, tasks: [1, 2].map(task), later: new Map([[2, [guess]]]) });
    expect((jobs.get(2)?.likely ?? 0) / (jobs.get(1)?.likely ?? 1)).toBeGreaterThan(2.5);
  });

  test("is not known without slots or tasks, and the same for the same farm", () => {
    expect(finishes({ slots: 0, tasks: [task(1)], later: new Map() }).all).toBeUndefined();
    const farm = { slots: 2, tasks: [1, 2, 3].map(task), later: new Map() };
    expect(finishes(farm)).toEqual(finishes(farm));
  });
});
