import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { pinProblem } from "../../../agent/session/pinned.ts";
import { makeCertificate, newKey } from "../../../coordinator/tls/certificate.ts";
import { pinOf } from "../../../coordinator/tls/own-authority.ts";

const [from, until] = [Date.parse("2026-01-01"), Date.parse("2027-01-01")];
const now = Date.parse("2026-06-01");
const dates = { from, until };

const aFarm = (names = ["farm.lan", "10.0.0.1"]) => {
  const [authorityKey, key] = [newKey(), newKey()];
  const authority = makeCertificate({ subject: "A", key: authorityKey, ...dates });
  const issuer = { name: "A", key: authorityKey };
  const server = makeCertificate({ subject: "S", key, issuer, names, ...dates });
  return { chain: [server, authority].map((pem) => new X509Certificate(pem)), pins: [pinOf(authorityKey)], key };
};

test("a farm is known by its authority's key, under its names and addresses", () => {
  const { chain, pins } = aFarm();
  for (const host of ["farm.lan", "10.0.0.1"]) expect(pinProblem(chain, { pins, host }, now)).toBeUndefined();
});

test("an authority that is only shown beside a foreign certificate proves nothing", () => {
  const [farm, thief] = [aFarm(), aFarm()];
  const host = "farm.lan";
  const words = "its certificate is not this farm's";
  const mixed = [...thief.chain.slice(0, 1), ...farm.chain.slice(1)];
  for (const chain of [thief.chain, mixed, thief.chain.slice(0, 1)])
    expect(pinProblem(chain, { pins: farm.pins, host }, now)).toContain(words);
});

test("a server's certificate signs no other", () => {
  const farm = aFarm();
  const key = newKey();
  const forged = makeCertificate({
    subject: "X",
    key,
    issuer: { name: "S", key: farm.key },
    names: ["farm.lan"],
    ...dates,
  });
  const chain = [new X509Certificate(forged), ...farm.chain];
  expect(pinProblem(chain, { pins: farm.pins, host: "farm.lan" }, now)).toContain("is not this farm's");
});

test.each([
  ["another name", "other.lan", now, "--host-name other.lan"],
  ["a time after its end", "farm.lan", until + 1000, "check the clocks"],
  ["a time before its beginning", "farm.lan", from - 1000, "check the clocks"],
])("a certificate is refused for %s", (_, host, at, words) => {
  const { chain, pins } = aFarm();
  expect(pinProblem(chain, { pins, host }, at)).toContain(words);
});

test("a server without a certificate is refused", () => {
  expect(pinProblem([], { pins: [], host: "x" }, now)).toBe("it shows no certificate");
});
