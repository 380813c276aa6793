import { expect, test } from "vitest";
import { stillHeldWords } from "../../../renderer/language/still-held.ts";

test("who retries a job that is still paused or scheduled is told so, by its id", () => {
  expect(stillHeldWords([{ id: "7", held: "paused" }])).toBe(
    "Job 7 is still paused: it starts nothing before it is resumed.",
  );
  expect(stillHeldWords([{ id: "8", held: "scheduled" }])).toBe("Job 8 still waits for its start time.");
});

test("several jobs are counted, each kind for itself", () => {
  const jobs = ["1", "2", "3"].map((id) => ({ id, held: id === "3" ? ("scheduled" as const) : ("paused" as const) }));
  expect(stillHeldWords(jobs)).toBe(
    "2 jobs are still paused: they start nothing before they are resumed. Job 3 still waits for its start time.",
  );
});
