import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openOwnAuthority } from "../../../coordinator/tls/own-authority.ts";
import { memoryRecords } from "../../helpers/farm/memory-records.ts";

const day = 24 * 3600_000;
const start = Date.parse("2026-11-23T00:00:00Z");

/** A store and a vault as simple as they can be. */
const aKept = () => {
  const values = new Map<string, string>();
  const vault = { seal: (text: string) => `sealed ${btoa(text)}`, open: (text: string) => atob(text.slice(7)) };
  const open = (more: { readonly now?: number; readonly names?: string[]; readonly isNewKey?: boolean } = {}) =>
    openOwnAuthority({
      store: { records: memoryRecords(values) },
      vault,
      names: ["farm.lan", "10.0.0.1", "2001:db8::1"],
      now: start,
      ...more,
    });
  return { open, values };
};

const chainOf = (pem: string): X509Certificate[] =>
  pem
    .split(/(?<=-----END CERTIFICATE-----\n)/)
    .filter(Boolean)
    .map((each) => new X509Certificate(each));

describe("the farm's own certificate", () => {
  test("is signed by its authority, for all names, and not yet ended for a year", async () => {
    const { certificate, authority = "", pins, isOwn, endsAt } = await aKept().open();
    const [server, above] = chainOf(certificate);
    expect(above?.toString()).toBe(authority);
    expect(above && [server?.checkIssued(above), server?.verify(above.publicKey), above.ca, server?.ca]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(server?.subjectAltName).toBe("DNS:farm.lan, IP Address:10.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1");
    expect([pins.length, isOwn, endsAt]).toEqual([2, true, start + 397 * day]);
  });

  test("is kept, encrypted", async () => {
    const { open, values } = aKept();
    const first = await open();
    expect(await open({ now: start + 300 * day, names: ["farm.lan"] })).toEqual(first);
    expect([...values.values()].filter((text) => text.includes("PRIVATE KEY"))).toEqual([]);
  });

  test.each([
    ["before it ends", { now: start + 338 * day }],
    ["for a new name", { names: ["farm.lan", "other.lan"] }],
  ])("is renewed %s, by the same authority", async (_, more) => {
    const { open } = aKept();
    const first = await open();
    const second = await open(more);
    expect(second.certificate).not.toBe(first.certificate);
    expect([second.authority, second.pins]).toEqual([first.authority, first.pins]);
  });

  test.each([
    ["when somebody asks for it", { isNewKey: true }],
    ["before the authority ends", { now: start + 19.5 * 365 * day }],
  ])("moves to the key that nodes know already, %s", async (_, more) => {
    const { open } = aKept();
    const first = await open();
    const second = await open(more);
    expect(second.pins[0]).toBe(first.pins[1]);
    expect(second.pins[1]).not.toBe(first.pins[0]);
  });
});
