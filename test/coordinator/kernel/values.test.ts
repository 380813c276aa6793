import { describe, expect, test } from "vitest";
import { CacheMiss } from "../../../coordinator/kernel/cache-miss.ts";
import { buildJobValue } from "../../../coordinator/kernel/job-value.ts";
import { createLoader } from "../../../coordinator/kernel/loader.ts";
import { createValues } from "../../../coordinator/kernel/values.ts";
import { rowWeight } from "../../../coordinator/kernel/weight.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { aJobRow, aTaskRow } from "../../helpers/farm/batches.ts";

const aStored = (id: number, tasks = 1) => ({
  ...{
    row: aJobRow(id),
    schedule: { paused: null, startAfter: null, tags: [] },
    elements: [],
    connections: [],
    warnings: [],
    runs: [],
    moves: [],
  },
  tasks: Array.from({ length: tasks }, (_, nr) => aTaskRow(100 * id + nr, id)),
});
/** Jobs of one task weigh two rows: three of them fit. */
const few = { jobs: 6 * rowWeight + 100, works: 2 * rowWeight, others: 2 * rowWeight };
const idsOf = (values: ReturnType<typeof createValues>): number[] => [...values.allJobs()].map(({ id }) => id);
const trimmed = (values: ReturnType<typeof createValues>): number[] => {
  for (let time = 0; time < 100; time += 1) values.trim();
  return idsOf(values);
};

describe("jobs in memory", () => {
  test("are the ones that were used last", () => {
    const values = createValues(few);
    for (const id of [1, 2, 3, 4, 5]) values.addJob(buildJobValue(id, aStored(id)));
    values.job(2);
    expect(trimmed(values)).toEqual([4, 5, 2]);
    expect(() => values.job(1)).toThrow(CacheMiss);
  });

  test("are as many as take so many bytes together: tasks, elements and their assets", () => {
    const values = createValues(few);
    for (const id of [1, 2, 3]) values.addJob(buildJobValue(id, aStored(id, 2)));
    expect(trimmed(values)).toEqual([2, 3]);
    values.grow(2, 5000);
    expect(trimmed(values)).toEqual([3]);
  });

  test("stay while a change of theirs is not durable", () => {
    const values = createValues(few);
    for (const id of [1, 2, 3, 4, 5]) values.addJob(buildJobValue(id, aStored(id)));
    values.pin(1, 1);
    expect(trimmed(values)).toEqual([1, 4, 5]);
    values.pin(1, -1);
    values.addJob(buildJobValue(6, aStored(6)));
    expect(trimmed(values)).toEqual([4, 5, 6]);
  });

  test("that do not exist are forgotten at once", () => {
    const values = createValues(few);
    values.addJob(buildJobValue(9, undefined));
    expect([values.job(9).row, trimmed(values)]).toEqual([undefined, []]);
  });
});

test("what came into memory while it was loaded stays as it is", async () => {
  const values = createValues(few);
  const newer = buildJobValue(1, { ...aStored(1), row: aJobRow(1, { name: "newer" }) });
  const load = {
    job: async (id: number) => {
      values.addJob(newer);
      return aStored(id);
    },
  };
  await createLoader({ load: load as unknown as Store["load"], values, clock: createTestClock() })({ jobs: [1] }); // asks for jobs alone
  expect(values.job(1).row?.name).toBe("newer");
});
