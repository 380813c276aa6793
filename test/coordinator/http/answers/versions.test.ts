import { beforeAll, describe, expect, test } from "vitest";
import { answerAsOf, type DatedChange, datedChanges } from "../../../../coordinator/http/answers/versions.ts";
import { openTestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aSmallJob } from "../../../helpers/farm/farm.ts";
import { aWorldPerFile } from "../../../helpers/farm/worlds.ts";

test("changes are undone from the newest back to the client's day", () => {
  const added = (since: string, field: string): DatedChange => ({
    since,
    what: field,
    before: {
      getResult: ({ [field]: _new, ...answer }) => ({ ...answer, seen: [...(answer.seen as string[]), field] }),
    },
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

describe("a job that somebody paused", () => {
  const world = aWorldPerFile({ open: openTestCoordinator, close: ({ coordinator }) => coordinator.close() });

  beforeAll(async () => {
    await world().api("POST", "/jobs", { body: aSmallJob({ paused: true }) });
  });

  test.each([
    ["20170601", "waiting"],
    ["20211231", "waiting"],
    ["20220101", "paused"],
    ["29991231", "paused"],
  ])("is told of to who complies up to %s as %s, in every answer", async (day, substatus) => {
    const ask = async (path: string) =>
      (await world().api("GET", path, { headers: { "x-service-compliance": day } })).body;
    expect([
      await ask("/jobs/1/info?fields=substatus"),
      await ask("/jobs/info?fields=id&fields=substatus"),
      (await ask("/jobs/1/result")).job.substatus,
    ]).toEqual([{ substatus }, { items: [{ id: "1", substatus }] }, substatus]);
    expect(await ask("/jobs/1/info?fields=id")).toEqual({ id: "1" });
  });
});
