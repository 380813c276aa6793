import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerAsOf, type DatedChange, datedChanges } from "../../../coordinator/http/versions.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/coordinator.ts";
import { aFolder, aSmallJob, removeFolder } from "../../helpers/farm.ts";

test("changes are undone from the newest back to the client's day", () => {
  const added = (since: string, field: string): DatedChange => ({
    since,
    route: "getResult",
    what: field,
    before: ({ [field]: _new, ...answer }) => ({ ...answer, seen: [...(answer.seen as string[]), field] }),
  });
  const changes = [added("20270101", "c"), added("20260101", "b"), added("20250101", "a")];
  const answer = { a: 1, b: 2, c: 3, seen: [] };
  const asOf = (day: string) => answerAsOf(day, "getResult", answer, changes);
  expect(asOf("20270101")).toEqual(answer);
  expect(asOf("20261231")).toEqual({ a: 1, b: 2, seen: ["c"] });
  expect(asOf("20250101")).toEqual({ a: 1, seen: ["c", "b"] });
  expect(asOf("20190101")).toEqual({ seen: ["c", "b", "a"] });
  expect(answerAsOf("20190101", "listJobs", answer, changes)).toEqual(answer);
});

test("the table is sorted, the newest change first", () => {
  const days = datedChanges.map(({ since }) => since);
  expect(days).toEqual([...days].sort().reverse());
});

describe("a result", () => {
  let folder: string;
  let world: TestCoordinator;

  beforeAll(async () => {
    folder = aFolder();
    world = await openTestCoordinator(folder);
    await world.api("POST", "/jobs", { body: aSmallJob() });
  });

  afterAll(async () => {
    await world.coordinator.close();
    removeFolder(folder);
  });

  test.each([
    ["20261031", false],
    ["20261101", true],
    ["29991231", true],
  ])("asked for by who complies up to %s tells the job's substatus: %s", async (day, isTold) => {
    const { body } = await world.api("GET", "/jobs/1/result", { headers: { "x-service-compliance": day } });
    expect([body.job.id, "substatus" in body.job]).toEqual([1, isTold]);
  });
});
