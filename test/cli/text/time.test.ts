import { expect, test } from "vitest";
import { withClockTimes } from "../../../cli/text/time.ts";

test("instants in a sentence read as on a clock, with the day where it is another", () => {
  const at = new Date(2026, 10, 21, 14, 2, 11, 79);
  const sentence = `It fails at ${at.toISOString()}.`;
  expect(withClockTimes(sentence, at.getTime())).toBe("It fails at 14:02:11.");
  expect(withClockTimes(sentence, new Date(2026, 10, 20, 14).getTime())).toBe("It fails at 2026-11-21 14:02:11.");
  expect(withClockTimes("Takes 2026 of 2026-11", 0)).toBe("Takes 2026 of 2026-11");
});
