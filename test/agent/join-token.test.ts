import { expect, test } from "vitest";
import { decodeJoinToken, encodeJoinToken } from "../../shared/join-token.ts";

const token = { url: "ws://127.0.0.1:1234/v1/agent", farmId: "färm ✓", secret: "s-_3" };

test("a join token holds address, farm and secret in letters that survive any shell", () => {
  const text = encodeJoinToken(token);
  expect(text).toMatch(/^mfj1_[A-Za-z0-9_-]+$/);
  expect(decodeJoinToken(`  ${text}\n`)).toEqual(token);
});

test.each(["", "abc", "mfj1_", "mfj1_!!!!", "mfj1_e30", encodeJoinToken(token).slice(0, -4)])(
  "%j is no join token, and the error does not repeat it",
  (text) => {
    expect(() => decodeJoinToken(text)).toThrow(/^The join token cannot be used: /);
  },
);
