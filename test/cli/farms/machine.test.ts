import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openMachine } from "../../../cli/farms/machine.ts";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { startCoordinator } from "../../../coordinator/coordinator.ts";
import { startStandbyServer } from "../../../coordinator/standby/standby-server.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { aFolder, removeFolder, silentLog } from "../../helpers/farm/farm.ts";
import { freePorts } from "../../servers/process.ts";

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

test("a coordinator that was killed and stands by now says where the leader is", async () => {
  const data = aFolder();
  mkdirSync(join(data, "coordinator"));
  const [port = 0] = await freePorts(1);
  const leader = async () => "http://leader.lan:8700";
  const standby = await startStandbyServer({ host: "127.0.0.1", port }, undefined, leader);
  const left = { url: `http://127.0.0.1:${port}/`, key: "of before" };
  writeFileSync(join(data, "coordinator/machine.key"), JSON.stringify(left));
  const { request } = openMachine({ data }, {});
  for (const asked of ["getLead", "giveLead"] as const)
    await expect(request(asked, {})).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "This coordinator stands by; the leader is at http://leader.lan:8700",
    });
  await standby.close();
  removeFolder(data);
});
