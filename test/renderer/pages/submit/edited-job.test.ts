import { expect, test } from "vitest";
import { commonIn, isEdited, withCommon } from "../../../../renderer/pages/submit/edited-job.ts";

const job = { name: "a", priority: 100, payload: { elements: [] } };
const start = new Date("2026-11-22T20:00:00.000Z");

test("the form takes priority and start from the JSON, if they are right", () => {
  expect(commonIn(JSON.stringify({ ...job, priority: "7", start_after: start.toISOString() }))).toEqual({
    ...{ priority: 7, start },
  });
  expect(commonIn(JSON.stringify({ ...job, priority: 300, start_after: "soon" }))).toEqual({});
  expect(commonIn('{"priority": 7')).toEqual({});
});

test("a job counts as edited if anything else in it differs, or it is no JSON", () => {
  expect(isEdited(JSON.stringify(job, null, 4), job)).toBe(false);
  expect(isEdited(JSON.stringify({ ...job, priority: 9, start_after: start.toISOString() }), job)).toBe(false);
  expect(isEdited(JSON.stringify({ ...job, name: "b" }), job)).toBe(true);
  expect(isEdited("{", job)).toBe(true);
});

test("what the form says of priority and start goes into an edited job", () => {
  const edited = JSON.stringify({ ...job, name: "b", start_after: "2026-01-01T00:00:00Z" });
  expect(withCommon(edited, { priority: 5, start: undefined })).toEqual({ ...job, name: "b", priority: 5 });
  expect(withCommon(edited, { priority: 5, start })).toMatchObject({ start_after: start.toISOString() });
  expect(withCommon("{", { priority: 5, start })).toBeUndefined();
});
