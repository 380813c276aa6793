import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { startCoordinator } from "../../../coordinator/coordinator.ts";
import { usualLimits } from "../../../coordinator/doors/leaving.ts";
import { authorityFile } from "../../../coordinator/tls/tls.ts";
import { createTestClock } from "../../helpers/clock.ts";
import { aFolder, removeFolder, silentLog } from "../../helpers/farm/farm.ts";

test("silent connections, and handshakes that never end, do not close the TLS port", async () => {
  await using stack = new AsyncDisposableStack();
  const dataDir = aFolder();
  stack.defer(() => removeFolder(dataDir));
  // The real time: certificates are judged by Node's own clock.
  const clock = { ...createTestClock(), now: Date.now };
  const config = coordinatorConfig.parse({ dataDir, port: 0, tls: "on" });
  const farm = await startCoordinator(config, { clock, random: () => 0, log: silentLog });
  stack.defer(farm.close);
  const { origin, port } = new URL(farm.baseUrl);
  const sockets: Socket[] = [];
  stack.defer(() => {
    for (const socket of sockets) socket.destroy();
  });
  const begun = Buffer.from([0x16, 3, 1, 2, 0, 1]);
  for (let nr = 0; nr < usualLimits.strangers + 200; nr++) {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect");
    if (nr % 2 === 0) socket.write(begun);
  }
  const ca = readFileSync(join(dataDir, authorityFile));
  const status = await new Promise((resolve, reject) => {
    get(`${origin}/healthz`, { ca }, (response) => resolve(response.resume().statusCode)).on("error", reject);
  });
  expect(status).toBe(200);
}, 60_000);
