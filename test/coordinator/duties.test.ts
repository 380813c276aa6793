import { pino } from "pino";
import { expect, test } from "vitest";
import { type Duty, farmDuties, startDuties } from "../../coordinator/duties.ts";
import { createTimeSlice } from "../../coordinator/kernel/time-slice.ts";
import { StoreRefusal } from "../../coordinator/store/batch.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { createTestClock, turns } from "../helpers/clock.ts";
import { aFolder, aProfile, aSmallJob, enrol, openTestFarm, removeFolder } from "../helpers/farm/farm.ts";
import { submitJob } from "../helpers/farm/submit-job.ts";

const tickMs = 1000;

/** Duties under way, on a clock moved by hand, and what is logged of them. */
const begin = (duties: readonly Duty[]) => {
  const clock = createTestClock();
  const lines: { level: number; duty: string; msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const ground = { clock, log, config: { tickMs }, timeSlice: createTimeSlice(clock) };
  const stop = startDuties(ground as unknown as Parameters<typeof startDuties>[0], duties); // all that it reads
  return { clock, lines, stop };
};

/** A duty that counts how often it was begun. */
const counted = (name: string, run: () => unknown = () => undefined, ticks = 1) => {
  const duty = { name, ticks, begun: 0, run: () => run() };
  return Object.assign(duty, {
    run: () => {
      duty.begun += 1;
      return run();
    },
  });
};

/** What goes on until its latest run is ended. */
const aLongRun = () => {
  let latest = Promise.withResolvers<void>();
  const run = () => {
    latest = Promise.withResolvers<void>();
    return latest.promise;
  };
  return { run, end: () => latest.resolve() };
};

test("the other duties go on while one throws and one hangs, and the one that hangs is not begun twice", async () => {
  const throws = counted("throws", () => {
    throw new Error("broken");
  });
  const rejects = counted("rejects", () => Promise.reject(new Error("refused")));
  const { run, end } = aLongRun();
  const hangs = counted("hangs", run);
  const last = counted("last");
  const { clock, lines, stop } = begin([throws, rejects, hangs, last]);
  await clock.advance(5 * tickMs);
  expect([throws, rejects, hangs, last].map(({ begun }) => begun)).toEqual([5, 5, 1, 5]);
  expect(lines.map(({ duty }) => duty)).toEqual(["throws", "rejects"]);
  end();
  await turns();
  await clock.advance(tickMs);
  expect(hangs.begun).toBe(2);
  end();
  await stop();
});

test("a duty that keeps failing is logged once a minute", async () => {
  const { clock, lines, stop } = begin([counted("fails", () => Promise.reject(new Error("full")))]);
  await clock.advance(60 * tickMs);
  expect(lines.map(({ msg }) => msg)).toEqual(["a duty failed: fails"]);
  await clock.advance(tickMs);
  expect(lines).toHaveLength(2);
  await stop();
});

test("a duty that the store could not serve at that moment is a warning, as the next tick does it again", async () => {
  const busy = new AppError("UNAVAILABLE", "The database cannot be used: it was ended for idleness");
  const waits = counted("waits", () => Promise.reject(busy));
  const breaks = counted("breaks", () => Promise.reject(new Error("no such column")));
  const { clock, lines, stop } = begin([waits, breaks]);
  await clock.advance(2 * tickMs);
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [pino.levels.values.warn, "a duty could not be done, and is tried again: waits"],
    [pino.levels.values.error, "a duty failed: breaks"],
  ]);
  expect(waits.begun).toBe(2);
  await stop();
});

test("each duty has its own interval", async () => {
  const [often, rare] = [counted("often"), counted("rare", undefined, 10)];
  const { clock, stop } = begin([often, rare]);
  await clock.advance(9 * tickMs);
  expect([often.begun, rare.begun]).toEqual([9, 0]);
  await clock.advance(11 * tickMs);
  expect([often.begun, rare.begun]).toEqual([20, 2]);
  await stop();
});

test("stopping waits for the duties under way and begins no other", async () => {
  const { run, end } = aLongRun();
  const slow = counted("slow", run);
  const { clock, stop } = begin([slow]);
  await clock.advance(tickMs);
  let hasStopped = false;
  const stopping = stop().then(() => (hasStopped = true));
  await clock.advance(tickMs);
  expect([slow.begun, hasStopped]).toEqual([1, false]);
  end();
  await stopping;
  expect(clock.waiting()).toBe(0);
});

test("a task that a full disk kept from its node is assigned once there is room, whatever else still fails", async () => {
  const folder = aFolder();
  const full = async () => {
    await turns();
    throw new StoreRefusal("disk", "the disk is full");
  };
  let isFull = false;
  const own = await openTestFarm(folder, {
    wrap: (store) => ({ ...store, write: (batch) => (isFull ? full() : store.write(batch)) }),
  });
  const { id } = await enrol(own.farm, aProfile());
  await submitJob(own.farm, aSmallJob());
  await own.farm.settle();
  isFull = true;
  const node = own.connect(id);
  await turns(20);
  isFull = false;
  expect(await node.take()).toEqual([]);
  const store = { ...own.farm.store, maintain: full, records: { ...own.farm.store.records, change: full } };
  const stop = startDuties(own.farm, farmDuties({ ...own.farm, change: full, store }));
  await own.clock.advance(own.farm.config.tickMs);
  await node.assigned();
  await stop();
  await own.close();
  removeFolder(folder);
});
