import { expect, test } from "vitest";
import { checkJob } from "../../renderer/pages/submit/check.ts";
import { exampleJob } from "../../renderer/pages/submit/example.ts";

test("the example is a job that can be sent as it stands, without a warning", () => {
  expect(checkJob(exampleJob)).toEqual({
    kind: "good",
    body: JSON.parse(exampleJob),
    summary: "“My first job”: source, transcode",
    warnings: [],
  });
});

test("what is wrong is told by its path, and an empty text is no fault", () => {
  expect(checkJob(" ")).toEqual({ kind: "empty" });
  expect(checkJob("[]")).toMatchObject({ kind: "faulty", faults: [{ path: "" }] });
  expect(checkJob(exampleJob.replace("{", '{ "priority": 999,'))).toMatchObject({
    kind: "faulty",
    faults: [{ path: "priority" }],
  });
});
