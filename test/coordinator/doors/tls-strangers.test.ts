import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { startCoordinator } from "../../../coordinator/coordinator.ts";
import { authorityFile } from "../../../coordinator/tls/tls.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { aFolder, removeFolder, silentLog } from "../../helpers/farm/farm.ts";

test("of silent connections, and of handshakes that never end, the TLS port keeps a bounded number and lets others in", async () => {
  await using stack = new AsyncDisposableStack();
  const dataDir = aFolder();
  stack.defer(() => removeFolder(dataDir));
  // The real time: certificates are judged by Node's own clock.
  const clock = { ...createTestClock(), now: Date.now };
  // Few, so that nobody's time is up before the last has come.
  const config = coordinatorConfig.parse({ dataDir, port: 0, tls: "on", doors: { strangers: 50 } });
  const farm = await startCoordinator(config, { clock, random: () => 0, log: silentLog });
  stack.defer(farm.close);
  const { origin, port } = new URL(farm.baseUrl);
  const sockets: Socket[] = [];
  stack.defer(() => {
    for (const socket of sockets) socket.destroy();
  });
  const begun = Buffer.from([0x16, 3, 1, 2, 0, 1]);
  for (let nr = 0; nr < config.doors.strangers + 200; nr++) {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect");
    if (nr % 2 === 0) socket.write(begun);
  }
  const tooMany = 200;
  await expect
    .poll(() => sockets.filter(({ closed }) => closed).length, { timeout: 5000 })
    .toBeGreaterThanOrEqual(tooMany);
  expect(sockets.slice(-20).some(({ closed }) => closed)).toBe(false);
  const ca = readFileSync(join(dataDir, authorityFile));
  const status = await new Promise((resolve, reject) => {
    get(`${origin}/healthz`, { ca }, (response) => resolve(response.resume().statusCode)).on("error", reject);
  });
  expect(status).toBe(200);
}, 60_000);
