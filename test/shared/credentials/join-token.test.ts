import { expect, test } from "vitest";
import { AppError } from "../../../shared/basics/errors.ts";
import { decodeJoinToken, encodeJoinToken } from "../../../shared/credentials/join-token.ts";

const token = { url: "ws://127.0.0.1:8700/v1/agent", farmId: "farm-ü", secret: "s3cret_-x" };

test("what is encoded is decoded, also with white space around it", () => {
  expect(decodeJoinToken(` ${encodeJoinToken(token)}\n`)).toEqual(token);
});

test("it is one word that can stand in an address", () => {
  expect(encodeJoinToken(token)).toMatch(/^mfj1_[A-Za-z0-9_-]+$/);
});

test.each([
  ["no prefix", "abc", "does not start with mfj1_"],
  ["nothing", "", "does not start with mfj1_"],
  ["a part of one", encodeJoinToken(token).slice(0, -8), "damaged or cut short"],
  ["no text", "mfj1_!!!!", "damaged or cut short"],
  ["bytes that are no UTF-8", "mfj1__w", "damaged or cut short"],
  ["another scheme", encodeJoinToken({ ...token, url: "http://x" }), "damaged or cut short"],
  ["an empty secret", encodeJoinToken({ ...token, secret: "" }), "damaged or cut short"],
  ["fields too many", `mfj1_${btoa(JSON.stringify({ u: "ws://x", f: "f", s: "s", x: 1 }))}`, "damaged or cut short"],
])("%s is refused without being repeated", (_, text, words) => {
  expect(() => decodeJoinToken(text)).toThrow(words);
  expect(() => decodeJoinToken(text)).toThrow(AppError);
  expect(() => decodeJoinToken(text)).not.toThrow(token.secret);
});
