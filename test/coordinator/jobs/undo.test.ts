import { expect, test } from "vitest";
import { createUndos } from "../../../coordinator/jobs/undo.ts";

const aClock = () => {
  let now = 0;
  return {
    monotonic: () => now,
    goOn: (ms: number) => {
      now += ms;
    },
  };
};
const steps = [{ jobId: 1, priority: 5 }];

test("an undo is the caller's own", () => {
  const undos = createUndos(aClock());
  const name = undos.remember("olga", steps) ?? "";
  expect(() => undos.take("mallory", name)).toThrow("This can no longer be taken back");
  expect(undos.take("olga", name)).toEqual(steps);
});

test("an undo ends after ten minutes", () => {
  const clock = aClock();
  const undos = createUndos(clock);
  const old = undos.remember("olga", steps) ?? "";
  clock.goOn(400_000);
  const young = undos.remember("olga", steps) ?? "";
  clock.goOn(300_000);
  expect(() => undos.take("olga", old)).toThrow("This can no longer be taken back");
  expect(undos.take("olga", young)).toEqual(steps);
});

test("the oldest are forgotten where there are too many jobs in them", () => {
  const undos = createUndos(aClock());
  const many = Array.from({ length: 300_000 }, (_, jobId) => ({ jobId, priority: 5 }));
  const [first, second] = [undos.remember("olga", many) ?? "", undos.remember("olga", many) ?? ""];
  expect(() => undos.take("olga", first)).toThrow("This can no longer be taken back");
  expect(undos.take("olga", second)).toHaveLength(300_000);
});
