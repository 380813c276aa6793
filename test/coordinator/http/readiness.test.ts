import { expect, test } from "vitest";
import { StoreRefusal } from "../../../coordinator/store/batch.ts";
import { openSqlite } from "../../../coordinator/store/sqlite/open.ts";
import type { Store } from "../../../coordinator/store/store.ts";
import { turns } from "../../helpers/clock.ts";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const fresh = 5_000;
const patience = 2_000;
const works = [200, "ok"];
const cannotWork = [503, "The farm cannot work now"];

/** A store on which a test has a disk that is full, or that never answers. */
const open = async (folder: string) => {
  const trouble: { batches?: () => Promise<never>; records?: () => Promise<never>; epoch?: number } = {};
  const openStore = (dataDir: string): Store => {
    const store = openSqlite(dataDir);
    return {
      ...store,
      write: (batch) => trouble.batches?.() ?? store.write(batch),
      leading: async () => ({ ...(await store.leading()), ...(trouble.epoch && { epoch: trouble.epoch }) }),
      records: { ...store.records, change: (...args) => trouble.records?.() ?? store.records.change(...args) },
    };
  };
  return { ...(await openTestCoordinator(folder, {}, { openStore })), trouble };
};

const world = aWorldPerTest({ open, close: ({ coordinator }) => coordinator.close() });

const ready = async () => {
  const { status, body } = await world().ask("GET", "/readyz", { headers: { authorization: undefined } });
  return [status, body.status ?? body.message];
};
const full = () => Promise.reject(new StoreRefusal("disk", "The coordinator's disk is full"));

test("a farm that leads and can write is ready, however long nothing was decided", async () => {
  expect(await ready()).toEqual(works);
  await world().clock.advance(3_600_000);
  expect(await ready()).toEqual(works);
});

test("a full disk that refuses what is decided makes it not ready, until there is room", async () => {
  const { trouble, api, clock } = world();
  Object.assign(trouble, { batches: full, records: full });
  expect((await api("POST", "/jobs", { body: aSmallJob() })).status).toBe(503);
  expect(await ready()).toEqual(cannotWork);
  await clock.advance(fresh);
  expect(await ready()).toEqual(cannotWork);
  Object.assign(trouble, { batches: undefined, records: undefined });
  await clock.advance(fresh);
  expect(await ready()).toEqual(works);
});

test("a full disk is noticed although nothing is decided", async () => {
  const { trouble, clock } = world();
  trouble.records = full;
  await clock.advance(fresh);
  expect(await ready()).toEqual(cannotWork);
});

test("a store that does not answer in time makes it not ready", async () => {
  const { trouble, clock } = world();
  let asked = () => undefined as unknown;
  const hasAsked = new Promise((resolve) => {
    asked = () => resolve(undefined);
  });
  await clock.advance(fresh);
  trouble.records = () => {
    asked();
    return new Promise<never>(() => undefined);
  };
  const answer = ready();
  await hasAsked;
  await turns();
  await clock.advance(patience);
  expect(await answer).toEqual(cannotWork);
  trouble.records = undefined;
});

test("it is not ready when another coordinator leads", async () => {
  const { trouble, clock, coordinator } = world();
  await clock.advance(fresh);
  trouble.epoch = coordinator.farm.epoch + 1;
  expect(await ready()).toEqual(cannotWork);
});
