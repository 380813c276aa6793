import { expect, test } from "vitest";
import { createNextJobs, type QueuedJob } from "../../../coordinator/jobs/next-jobs.ts";

const job = (id: number, priority = 100): QueuedJob => ({ id, priority });
const nobody = new Set<number>();

/** A store that answers when it is told to, with what it held when it was asked. */
const aSlowStore = () => {
  let answer: ((found: QueuedJob[]) => void) | undefined;
  return {
    toBegin: () =>
      new Promise<QueuedJob[]>((resolve) => {
        answer = resolve;
      }),
    answer: (...found: QueuedJob[]) => answer?.(found),
  };
};

const drained = (next: ReturnType<typeof createNextJobs>, isHeld: (id: number) => boolean = () => false): number[] => {
  const ids: number[] = [];
  for (let first = next.first(isHeld); first; first = next.first(isHeld)) {
    ids.push(first.id);
    next.removeFirst();
  }
  return ids;
};

test("a job that arrives and becomes durable while the store is asked is not lost", async () => {
  const store = aSlowStore();
  const next = createNextJobs(store);
  const filled = next.refill(nobody);
  next.add(job(2))();
  next.add(job(3, 900))();
  store.answer(job(1));
  await filled;
  expect([drained(next), next.mayRefill()]).toEqual([[3, 1, 2], false]);
});

test("one that was said to be missing meanwhile is looked for again", async () => {
  const store = aSlowStore();
  const next = createNextJobs(store);
  const filled = next.refill(nobody);
  next.searchAgain();
  store.answer(job(1));
  await filled;
  expect([drained(next), next.mayRefill()]).toEqual([[1], true]);
});

test("paused jobs are passed over, and come back when they are added again", async () => {
  const next = createNextJobs({ toBegin: async () => [job(1), job(2), job(3)] });
  await next.refill(nobody);
  expect(drained(next, (id) => id < 3)).toEqual([3]);
  next.add(job(2))();
  expect(drained(next)).toEqual([2]);
});

test("after a failure the store is asked again", async () => {
  const next = createNextJobs({ toBegin: () => Promise.reject(new Error("no")) });
  await expect(next.refill(nobody)).rejects.toThrow("no");
  expect(next.mayRefill()).toBe(true);
});
