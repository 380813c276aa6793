import { expect, test } from "vitest";
import { retryWord } from "../../../renderer/language/words.ts";

test("what a person stopped is not called failed where it can be run again", () => {
  expect([
    retryWord({ failed: true, stopped: false }),
    retryWord({ failed: false, stopped: true }),
    retryWord({ failed: true, stopped: true }),
  ]).toEqual(["Retry failed", "Retry stopped", "Retry"]);
});
