import { describe, expect, test } from "vitest";
import {
  codeAt,
  newCodeSecret,
  newRecoveryCodes,
  plainRecovery,
  stepAt,
  stepOfCode,
  toBase32,
} from "../../../coordinator/second-steps/one-time-passwords.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import { codesAddress } from "../../../shared/people/codes-address.ts";

const vectors = new Secret(toBase32(Buffer.from("12345678901234567890")));

describe("one-time passwords", () => {
  test.each([
    [59, "94287082"],
    [1111111109, "07081804"],
    [1111111111, "14050471"],
    [1234567890, "89005924"],
    [2000000000, "69279037"],
    [20000000000, "65353130"],
  ])("at %i seconds are as RFC 6238 says, appendix B", (seconds, code) => {
    const step = stepAt(seconds * 1000);
    expect([codeAt(vectors, step, 8), codeAt(vectors, step)]).toEqual([code, code.slice(2)]);
  });

  test.each(["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"])(
    "are as RFC 4226 says, appendix D: %s",
    (code) => {
      const steps = Array.from({ length: 10 }, (_, step) => step);
      expect(steps.filter((step) => codeAt(vectors, step) === code)).toHaveLength(1);
    },
  );

  test.each([
    ["", ""],
    ["f", "MY"],
    ["fo", "MZXQ"],
    ["foo", "MZXW6"],
    ["foob", "MZXW6YQ"],
    ["fooba", "MZXW6YTB"],
    ["foobar", "MZXW6YTBOI"],
  ])("secrets are written as RFC 4648 says: %s", (text, written) => {
    expect(toBase32(Buffer.from(text))).toBe(written);
  });

  test("count one step early and late, with blanks, and no step that is not later than the last", () => {
    const now = 1_000_000_000_000;
    const step = stepAt(now);
    const find = (at: number, last = 0) => stepOfCode(vectors, new Secret(` ${codeAt(vectors, at)} `), last, now);
    expect([-2, -1, 0, 1, 2].map((shift) => find(step + shift))).toEqual([
      undefined,
      step - 1,
      step,
      step + 1,
      undefined,
    ]);
    expect([find(step, step), find(step - 1, step), find(step + 1, step)]).toEqual([undefined, undefined, step + 1]);
    expect(stepOfCode(vectors, new Secret(""), 0, now)).toBeUndefined();
  });

  test("their address is one that apps read, whatever somebody is called", () => {
    const address = new URL(
      codesAddress({ secret: vectors.reveal(), issuer: "Mediafarm farm.example", account: "Zoë: A/B" }),
    );
    expect([address.protocol, address.host, decodeURIComponent(address.pathname)]).toEqual([
      "otpauth:",
      "totp",
      "/Mediafarm farm.example:Zoë: A/B",
    ]);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
      issuer: "Mediafarm farm.example",
    });
  });
});

test("secrets and recovery codes are new each time; a recovery code is the same without hyphens and with capitals", () => {
  expect(newCodeSecret().reveal()).toMatch(/^[A-Z2-7]{32}$/);
  expect(newCodeSecret().reveal()).not.toBe(newCodeSecret().reveal());
  const codes = newRecoveryCodes().map((code) => code.reveal());
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(plainRecovery(new Secret(` ${code.toUpperCase().replaceAll("-", " ")}`))).toBe(code.replaceAll("-", ""));
  }
});
