import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openMachine } from "../../../cli/farms/machine.ts";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { startCoordinator } from "../../../coordinator/coordinator.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { aFolder, removeFolder, silentLog } from "../../helpers/farm/farm.ts";

test.each([
  ["0.0.0.0", "off", "http://127.0.0.1:"],
  ["0.0.0.0", "on", "https://127.0.0.1:"],
  ["127.0.0.1", "off", undefined],
] as const)(
  "on %s, TLS %s, commands of this machine come over loopback, whatever its name leads to",
  async (host, tls, start) => {
    const data = aFolder();
    const folder = join(data, "coordinator");
    mkdirSync(folder);
    const config = coordinatorConfig.parse({ dataDir: folder, port: 0, host, tls });
    const coordinator = await startCoordinator(config, { clock: createTestClock(), random: () => 0, log: silentLog });
    try {
      const { loopback } = JSON.parse(readFileSync(join(folder, "machine.key"), "utf8"));
      expect(loopback).toBe(start && `${start}${coordinator.port}/`);
      const machine = openMachine({ data }, {});
      expect(machine.url).toBe(coordinator.dashboardUrl);
      expect(await machine.request("getSession", {})).toMatchObject({ name: "this machine", role: "owner" });
    } finally {
      await coordinator.close();
      removeFolder(data);
    }
  },
);
