import { expect, test } from "vitest";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { createVault } from "../../../coordinator/secrets/vault.ts";
import { standBy } from "../../../coordinator/standby/stand-by.ts";
import { movingAddress } from "../../../coordinator/store/move/tables.ts";
import { openStore } from "../../../coordinator/store/open-store.ts";
import type { Lease } from "../../../coordinator/store/store.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { silentLog } from "../../helpers/farm/farm.ts";
import { scratchFolder } from "../../helpers/media/media-tools.ts";

/** A free lease, and nobody else who wants it. */
const freeLease = (): Lease => ({
  take: async () => 1,
  give: async () => undefined,
  leader: async () => undefined,
  wait: async () => undefined,
  leave: async () => undefined,
  standbys: async () => [],
});

test("who gave the lead away leads again ten seconds after it gave it, where nobody else does, however long its start took", async () => {
  await using folder = scratchFolder();
  const clock = createTestClock();
  const config = coordinatorConfig.parse({ dataDir: folder.path, host: "127.0.0.1", port: 0, tls: "off" });
  const store = await openStore(config);
  const gaveAt = clock.monotonic();
  await clock.advance(9500); // it stood still
  const waits = Promise.withResolvers<string>();
  const needs = { clock, log: silentLog, store, vault: createVault(folder.path), config, gaveAt };
  let leads = false;
  const led = standBy({ ...needs, onStandby: waits.resolve }, freeLease()).then((found) => {
    leads = found !== undefined;
  });
  await waits.promise;
  await clock.advance(250);
  expect(leads).toBe(false);
  await clock.advance(500);
  await led;
  expect(leads).toBe(true);
  await store.close();
});

test("nobody stands by for a database out of which a farm is moved: it would lead the old farm afterwards", async () => {
  await using folder = scratchFolder();
  const config = coordinatorConfig.parse({ dataDir: folder.path, host: "127.0.0.1", port: 0, tls: "off" });
  const store = await openStore(config);
  const lease: Lease = {
    ...freeLease(),
    take: async () => undefined,
    leader: async () => ({ address: movingAddress, term: 1 }),
  };
  const needs = { clock: createTestClock(), log: silentLog, store, vault: createVault(folder.path), config };
  await expect(standBy(needs, lease)).rejects.toThrow("wait for mediafarm move-store");
  await store.close();
});
