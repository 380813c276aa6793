import { expect, test } from "vitest";
import { countsByState } from "../../../renderer/data/job-states.ts";

test("states that people call by one name are counted together", () => {
  const counts = countsByState([
    { status: "active", substatus: "paused", count: 1 },
    { status: "queued", substatus: "scheduled", count: 2 },
    { status: "queued", substatus: "paused", count: 3 },
  ]);
  expect(counts).toEqual([
    ["paused", 4],
    ["scheduled", 2],
  ]);
});
