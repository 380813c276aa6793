import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { originOf, ownNames, requireOwnHost } from "../../../coordinator/http/own-host.ts";
import { isFromThisMachine } from "../../../coordinator/http/session-guard.ts";
import { addressLine } from "../../../coordinator/people/people.ts";
import { personKey } from "../../../coordinator/store/people.ts";
import { rightsFile, rightsPage } from "../../rights-page.ts";

test("the page of rights says what the tables say", () => {
  expect(readFileSync(rightsFile, "utf8")).toBe(rightsPage());
});

test("the machine's key counts over loopback only, and not through what forwards for somebody else", () => {
  const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
    isFromThisMachine({ socket: { remoteAddress }, headers } as unknown as Parameters<typeof isFromThisMachine>[0]); // what it reads
  expect([from("127.0.0.1"), from("::1"), from("::ffff:127.0.0.1")]).toEqual([true, true, true]);
  expect([from("192.0.2.1"), from("::ffff:192.0.2.1"), from("127.0.0.1", { "x-forwarded-for": "192.0.2.1" })]).toEqual([
    ...[false, false, false],
  ]);
  expect(from("127.0.0.1", { forwarded: "for=192.0.2.1" })).toBe(false);
});

test("an origin has one spelling, and its scheme counts", () => {
  const spellings = ["https://farm.test", "HTTPS://FARM.test:443", "https://farm.test.", "https://ｆarm.test"];
  expect(new Set(spellings.map(originOf))).toEqual(new Set(["https://farm.test"]));
  expect(originOf("http://farm.test")).toBe("http://farm.test");
  expect(["null", "file:///x", "https://a@farm.test", "https://farm.test/x"].map(originOf)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});

test("two Host headers are refused, on every path, and so is none but by HTTP/1.0", () => {
  const names = ownNames("localhost", ["farm.test"]);
  const ask = (url: string, ...hosts: string[]) =>
    requireOwnHost(
      { url, host: hosts[0] ?? "", raw: { rawHeaders: hosts.flatMap((host) => ["Host", host]), httpVersion: "1.1" } },
      names,
    );
  expect(() => ask("/", "farm.test")).not.toThrow();
  for (const url of ["/", "/v1/jobs/count"]) {
    expect(() => ask(url, "farm.test", "evil.test")).toThrow("more than one Host header");
    expect(() => ask(url)).toThrow("no Host header");
  }
  const old = { url: "/", host: "", raw: { rawHeaders: [], httpVersion: "1.0" } };
  expect(() => requireOwnHost(old, names)).not.toThrow();
});

test("spellings of a name, and addresses of one network, are one", () => {
  expect(new Set(["Ada", "ada ", "ＡＤＡ"].map(personKey))).toEqual(new Set(["ada"]));
  expect(addressLine("::ffff:192.0.2.1")).toBe(addressLine("192.0.2.1"));
  expect(addressLine("2001:db8:1:2::1")).toBe(addressLine("2001:db8:1:2:ffff:1:2:3"));
  expect(addressLine("2001:db8:1:3::1")).not.toBe(addressLine("2001:db8:1:2::1"));
});
