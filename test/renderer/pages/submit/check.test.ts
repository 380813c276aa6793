import { expect, test } from "vitest";
import { checkJob } from "../../../../renderer/pages/submit/check.ts";
import { exampleJob } from "../../../../renderer/pages/submit/example.ts";

test("the example is a job that can be sent as it stands, without a warning", () => {
  expect(checkJob(exampleJob)).toEqual({
    kind: "good",
    body: JSON.parse(exampleJob),
    summary: "“My first job”: source, transcode",
    warnings: [],
  });
});
