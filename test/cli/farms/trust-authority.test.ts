import tls from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { trustAuthority } from "../../../cli/farms/trust-authority.ts";
import { makeCertificate, newKey } from "../../../coordinator/tls/certificate.ts";

const authority = makeCertificate({ subject: "A", key: newKey(), from: 0, until: Date.parse("2100-01-01") });

test("an authority is trusted beside those that are trusted anyway", () => {
  const before = tls.getCACertificates("default");
  onTestFinished(() => tls.setDefaultCACertificates(before));
  trustAuthority("http://127.0.0.1:8700/v1", authority);
  expect(tls.getCACertificates("default")).toEqual(before);
  trustAuthority("https://farm.lan:8700/v1", authority);
  expect(tls.getCACertificates("default").map((pem) => pem.trim())).toContain(authority.trim());
});

test("what is no certificate is refused by name", () => {
  expect(() => trustAuthority("https://farm.lan/v1", "nonsense")).toThrow("MEDIAFARM_CA");
});
