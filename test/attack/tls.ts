import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pinProblem } from "../../agent/session/pinned.ts";
import { coordinatorConfig } from "../../coordinator/config.ts";
import { startCoordinator } from "../../coordinator/coordinator.ts";
import { makeCertificate, newKey } from "../../coordinator/tls/certificate.ts";
import { pinOf } from "../../coordinator/tls/own-authority.ts";
import { authorityFile } from "../../coordinator/tls/tls.ts";
import { aFolder } from "../helpers/agent/agent-fixture.ts";
import { createTestClock } from "../helpers/clock.ts";
import { silentLog } from "../helpers/farm/farm.ts";
import type { Attack, Random, Tally } from "./attack.ts";

/** Strangers speak nonsense to the TLS port, and servers in between show certificates that they made up. */
export const tlsAttack: Attack = {
  name: "TLS",
  run: async ({ random, tries }) => [await nonsense(random, tries), forgeries(random, tries)],
};

const greetings = (random: Random): Buffer => {
  const noise = Buffer.from(Array.from({ length: random.integer(0, 200) }, () => random.integer(0, 255)));
  return random.one([
    Buffer.alloc(0),
    noise,
    Buffer.concat([Buffer.from([0x16, 3, 1]), noise]),
    Buffer.concat([Buffer.from([0x16, 3, 3, 0xff, 0xff, 1]), noise]),
    Buffer.from("GET /v1/agent HTTP/1.1\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
    Buffer.from(`GET /${"a".repeat(random.integer(0, 90_000))} HTTP/1.1\r\nhost: \r\n\r\n`),
    Buffer.from("POST /v1/login HTTP/1.1\r\ncontent-length: 5\r\n\r\n{"),
  ]);
};

/** Nothing of the farm is told without TLS, and others are still served. */
const nonsense = async (random: Random, tries: number): Promise<Tally> => {
  await using stack = new AsyncDisposableStack();
  const { path: dataDir, remove } = await aFolder();
  stack.defer(remove);
  // The real time: what is judged here are certificates by Node's own clock.
  const clock = { ...createTestClock(), now: Date.now };
  const config = coordinatorConfig.parse({ dataDir, port: 0, tls: "on" });
  const farm = await startCoordinator(config, { clock, random: () => 0, log: silentLog });
  stack.defer(farm.close);
  const url = new URL(farm.baseUrl);
  const fell: string[] = [];
  const sockets = Array.from({ length: tries * 5 }, () => {
    const bytes = greetings(random);
    const socket = connect(Number(url.port), "127.0.0.1").on("error", () => undefined);
    socket.setEncoding("latin1").on("data", (text: string) => {
      if (/^HTTP\/1\.1 [^34]|"status"|token/.test(text) && !text.includes("join again"))
        fell.push(`${JSON.stringify(bytes.subarray(0, 40).toString("latin1"))}: ${text.slice(0, 60)}`);
    });
    socket.write(bytes);
    return socket;
  });
  await pause(300);
  const ca = readFileSync(join(dataDir, authorityFile));
  const status = await new Promise((resolve) =>
    get(`${url.origin}/healthz`, { ca, timeout: 5000 }, (response) => resolve(response.resume().statusCode)).on(
      "error",
      (problem) => resolve(problem.message),
    ),
  );
  if (status !== 200) fell.push(`others were not served: ${status}`);
  for (const socket of sockets) socket.destroy();
  return { what: "nonsense spoken to the TLS port", tried: sockets.length, fell };
};

/** Chains of a stranger's certificates, the farm's own public ones among them: none of them proves anything. */
const forgeries = (random: Random, tries: number): Tally => {
  const [now, host] = [Date.now(), "farm.lan"];
  const dates = { from: now - 1000, until: now + 3600_000 };
  const [farmKey, serverKey, thiefKey] = [newKey(), newKey(), newKey()];
  const names = [host];
  const made = (subject: string, key: typeof farmKey, issuer?: { name: string; key: typeof farmKey }) =>
    new X509Certificate(makeCertificate({ subject, key, names, ...dates, ...(issuer && { issuer }) }));
  const farm = made("A", farmKey);
  const server = made("S", serverKey, { name: "A", key: farmKey });
  const forged = [
    made("S", thiefKey),
    made("S", thiefKey, { name: "A", key: thiefKey }),
    made("A", thiefKey),
    made("X", thiefKey, { name: "S", key: serverKey }),
  ];
  const fell: string[] = [];
  for (let nr = 0; nr < tries; nr++) {
    // A thief can show everything, but only prove that the first certificate is theirs.
    const rest = Array.from({ length: random.integer(0, 4) }, () => random.one([...forged, farm, server]));
    const chain = [random.one(forged), ...rest];
    if (pinProblem(chain, { pins: [pinOf(farmKey)], host }, now) === undefined)
      fell.push(chain.map(({ subject, issuer }) => `${subject} by ${issuer}`).join(", "));
  }
  return { what: "forged chains of certificates", tried: tries, fell };
};
