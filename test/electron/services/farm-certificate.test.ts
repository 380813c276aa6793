import { expect, onTestFinished, test } from "vitest";
import { makeCertificate, newKey } from "../../../coordinator/tls/certificate.ts";
import { pinOf } from "../../../coordinator/tls/own-authority.ts";
import { fetchFromFarm, mayShow, pinnedFarm } from "../../../electron/services/farm-certificate.ts";
import { encodeJoinToken } from "../../../shared/credentials/join-token.ts";
import { serveTls } from "../../helpers/processes/tls-server.ts";

const dates = { from: Date.parse("2026-01-01"), until: Date.parse("2100-01-01") };
const now = Date.parse("2026-06-01");
const key = newKey();
const chain = [makeCertificate({ subject: "F", key, names: ["127.0.0.2"], ...dates })];
const server = makeCertificate({ subject: "F", key, issuer: { name: "F", key }, names: ["127.0.0.2"], ...dates });
const pins = [pinOf(key)];
const tokenOf = (more: object) =>
  encodeJoinToken({ url: "wss://127.0.0.2:8700/v1/agent", farmId: "f", secret: "s", ...more });
const farm = { host: "127.0.0.2", pins };

test("the pinned farm is the one that was joined with a token with pins", () => {
  expect(pinnedFarm({ farm: { mode: "node", joinToken: tokenOf({ pins }) } })).toEqual(farm);
  expect(pinnedFarm({ farm: { mode: "node", joinToken: tokenOf({}) } })).toBeUndefined();
  expect(pinnedFarm({ farm: { mode: "none" } })).toBeUndefined();
});

test.each([
  ["the farm's certificate", "127.0.0.2", [server], true],
  [
    "another certificate at its address",
    "127.0.0.2",
    [makeCertificate({ subject: "X", key: newKey(), ...dates })],
    false,
  ],
  ["nonsense at its address", "127.0.0.2", ["nonsense"], false],
  ["any certificate elsewhere", "example.com", chain, undefined],
])("%s gets the window's own verdict", (_, host, shown, verdict) => {
  expect(mayShow(host, shown, farm, now)).toBe(verdict);
});

test("nothing is asked of a server that is not the pinned one", async () => {
  const thiefKey = newKey();
  const cert = makeCertificate({ subject: "X", key: thiefKey, names: ["127.0.0.2"], ...dates });
  const thief = await serveTls({ cert, key: thiefKey.export({ type: "pkcs8", format: "pem" }).toString() });
  onTestFinished(thief.close);
  const ask = fetchFromFarm(
    fetch,
    () => farm,
    () => now,
  );
  await expect(ask(`https://127.0.0.2:${thief.port}/healthz`)).rejects.toThrow("is not this farm's");
  expect([thief.connections(), thief.heard()]).toEqual([1, 0]);
});
