import { expect, test } from "vitest";
import { createByteCache } from "../../../agent/previews/kept-bytes.ts";

test("what was used longest ago goes first, and what is too large is not kept", () => {
  const kept = createByteCache(10);
  const [a, b, c] = [new Uint8Array(4), new Uint8Array(4), new Uint8Array(4)];
  kept.put("a", a);
  kept.put("b", b);
  expect(kept.get("a")).toBe(a);
  kept.put("c", c);
  expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([a, undefined, c]);
  kept.put("large", new Uint8Array(11));
  expect(["a", "c", "large"].map((key) => kept.get(key))).toEqual([undefined, undefined, undefined]);
});
