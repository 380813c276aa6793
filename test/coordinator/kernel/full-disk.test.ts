import { pino } from "pino";
import { expect, test } from "vitest";
import { StoreRefusal } from "../../../coordinator/store/batch.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { turns } from "../../helpers/clock.ts";
import { aSmallJob, openTestFarm } from "../../helpers/farm/farm.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

/** A farm whose disk is full while a test says so; `log` holds the lines that its operator sees. */
const world = aWorldPerTest({
  open: async (folder) => {
    const disk = { isFull: false, tries: 0 };
    const log: string[] = [];
    const wrap = (store: Store): Store => ({
      ...store,
      write: async (batch) => {
        if (!disk.isFull) return store.write(batch);
        disk.tries += 1;
        throw new StoreRefusal("disk", "no space left");
      },
    });
    const logger = pino({ level: "warn" }, { write: (line: string) => void log.push(JSON.parse(line).msg) });
    return { ...(await openTestFarm(folder, { wrap, log: logger, config: { enoughReady: 20 } })), disk, log };
  },
  close: ({ close }) => close(),
});

test("while the disk is full, the farm tries to begin work once a second, and logs one line; afterwards all goes on", async () => {
  const { farm, clock, disk, log } = world();
  const { id } = await world().node();
  farm.registry.forget(id);
  const submit = (changes = {}) => submitJob(farm, aSmallJob(changes));
  for (let nr = 0; nr < 20; nr += 1) await submit(nr < 10 ? {} : { tags: ["x"] });
  for (let nr = 0; nr < 100; nr += 1) await submit();
  await farm.settle();
  disk.isFull = true;
  const node = world().connect(id);
  await turns(500);
  expect([disk.tries, await node.take()]).toEqual([1, []]);
  await clock.advance(10_000);
  expect(disk.tries).toBeLessThan(25);
  await expect(submit()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(log).toEqual(["the store takes no changes"]);
  disk.isFull = false;
  await clock.advance(1000);
  expect((await node.take()).map(({ type }) => type)).toEqual(["assign", "assign"]);
  expect(log).toEqual(["the store takes no changes", "the store takes changes again"]);
});
