import { expect, test } from "vitest";
import type { Store } from "../../../coordinator/store/store.ts";
import { aSmallJob, aSource, openTestFarm } from "../../helpers/farm/farm.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

/** A farm whose store answers when a test says so. */
const world = aWorldPerTest({
  open: async (folder) => {
    let disk: Promise<void> | undefined;
    let waiting = 0;
    const wrap = (store: Store): Store => ({
      ...store,
      write: async (batch) => {
        if (disk) waiting += 1;
        await disk;
        await store.write(batch);
      },
    });
    const stop = (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      disk = promise;
      return () => {
        disk = undefined;
        resolve();
      };
    };
    return { ...(await openTestFarm(folder, { wrap })), stop, waiting: () => waiting };
  },
  close: ({ close }) => close(),
});

test("a farm with enough to do begins no jobs while submissions wait for the disk, nor just after their answers", async () => {
  const { farm, clock, stop, waiting } = world();
  const sources = Array.from({ length: 500 }, (_, nr) => aSource({ uid: `e${nr}` }));
  for (const name of ["one", "two"]) await submitJob(farm, { name, payload: { elements: sources } });
  await expect.poll(() => farm.ready.size(), { timeout: 60_000 }).toBe(1000);
  await farm.settle();

  const goOn = stop();
  const submitted = submitJob(farm, aSmallJob());
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
  await clock.advance(500);
  goOn();
  const id = await submitted;
  const begun = () => farm.values.peekJob(id)?.row?.begun;
  expect(begun()).toBe(0);
  await clock.advance(100);
  await expect.poll(begun, { timeout: 20_000 }).toBe(1);
});
