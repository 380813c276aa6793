import { expect, test } from "vitest";
import { certificateProblem } from "../../../shared/basics/tls-problem.ts";

const failed = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code }) });

test.each([
  ["SELF_SIGNED_CERT_IN_CHAIN", "MEDIAFARM_CA"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "MEDIAFARM_CA"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "MEDIAFARM_CA"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "--host-name"],
  ["CERT_HAS_EXPIRED", "has ended"],
  ["CERT_REVOKED", "is not accepted"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "http://"],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "handshake failed"],
])("%s is told in words", (code, words) => {
  expect(certificateProblem(failed(code))).toContain(words);
});

test("other failures are not about TLS", () => {
  expect([failed("ECONNREFUSED"), new Error("x"), undefined].map(certificateProblem)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
