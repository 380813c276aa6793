import fc from "fast-check";
import { test } from "vitest";
import { decodeText, encodeText } from "../../../../../coordinator/store/postgres/connection/encode-text.ts";
import { times } from "../../../../helpers/long.ts";

const text = fc.string({ unit: fc.constantFrom("\u0000", "\u0001", "\u0002", "\u0003", "a", "\u{1f600}", "\uff5e") });
const bytes = (of: string) => Buffer.from(of);

test("every text comes back, none holds U+0000, and their order by bytes stays", () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [one, other] = [encodeText(a), encodeText(b)];
      return (
        decodeText(one) === a &&
        !one.includes("\u0000") &&
        Math.sign(Buffer.compare(bytes(one), bytes(other))) === Math.sign(Buffer.compare(bytes(a), bytes(b)))
      );
    }),
    { numRuns: times(1000, 10_000, 100_000) },
  );
});
