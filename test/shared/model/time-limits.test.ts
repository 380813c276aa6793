import { expect, test } from "vitest";
import { limitsFor } from "../../../shared/model/time-limits.ts";

const minute = 60_000;

test("the most particular word on a limit wins, a setting before a default", () => {
  expect(limitsFor("transcode")).toEqual({ stallMs: 30 * minute, hardMs: 1440 * minute });
  expect(limitsFor("source")).toEqual({ stallMs: 10 * minute, hardMs: 60 * minute });
  const settings = { "*": { stallMinutes: 5 }, transcode: { hardMinutes: 600 } };
  expect(limitsFor("transcode", settings)).toEqual({ stallMs: 5 * minute, hardMs: 600 * minute });
  expect(limitsFor("copy", settings)).toEqual({ stallMs: 5 * minute, hardMs: 1440 * minute });
  expect(limitsFor("source", settings)).toEqual({ stallMs: 10 * minute, hardMs: 60 * minute });
});
