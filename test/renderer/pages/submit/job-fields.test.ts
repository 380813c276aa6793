import { describe, expect, test } from "vitest";
import {
  changesBetween,
  groupFields,
  pathText,
  typedAs,
  withValue,
} from "../../../../renderer/pages/submit/job-fields.ts";

const job = {
  name: "reel 3",
  task_tags: ["gpu"],
  payload: {
    elements: [
      { uid: "src", kind: "source", payload: { uri: "/in.mov" } },
      {
        uid: "t",
        kind: "transcode",
        payload: { targets: [{ video: { codec: "h264", bitrate_kb: 5000, two_pass: true } }] },
      },
    ],
    connections: [{ from: ["src"], to: { success: ["t"] } }],
  },
};
const bitrate = ["payload", "elements", 1, "payload", "targets", 0, "video", "bitrate_kb"];

test("a job's values are fields, by the job and its elements; connections are not", () => {
  const groups = groupFields(job).map(({ key, element, fields }) => [
    element ? `${element.kind} ${element.uid}` : key,
    fields.map(({ path, value }) => `${pathText(path)}=${value}`),
  ]);
  expect(groups).toEqual([
    ["job", ["name=reel 3", "task_tags[0]=gpu"]],
    [
      "source src",
      ["payload.elements[0].uid=src", "payload.elements[0].kind=source", "payload.elements[0].payload.uri=/in.mov"],
    ],
    [
      "transcode t",
      [
        "payload.elements[1].uid=t",
        "payload.elements[1].kind=transcode",
        ...["codec=h264", "bitrate_kb=5000", "two_pass=true"].map(
          (each) => `payload.elements[1].payload.targets[0].video.${each}`,
        ),
      ],
    ],
  ]);
});

test("what is no job has no elements", () => {
  expect(groupFields({ payload: "text" })).toEqual([{ key: "job", path: [], fields: [] }]);
});

describe("a value", () => {
  test("is put in at its path, and nothing else is another", () => {
    const after = withValue(job, bitrate, 8000) as typeof job;
    expect(changesBetween(job, after)).toEqual([{ path: pathText(bitrate), before: "5000", after: "8000" }]);
    expect(after.payload.elements[0]).toBe(job.payload.elements[0]);
  });

  test("is added where there was none, and removed", () => {
    const added = withValue(job, ["priority"], 7);
    expect(changesBetween(job, added)).toEqual([{ path: "priority", before: undefined, after: "7" }]);
    expect(changesBetween(added, withValue(added, ["priority"], undefined))).toEqual([
      { path: "priority", before: "7", after: undefined },
    ]);
  });

  test("stays a number where a number is typed", () => {
    expect([typedAs("12", 5), typedAs("x", 5), typedAs("", 5), typedAs("12", "5")]).toEqual([12, "x", "", "12"]);
  });
});

test("lists and whole objects that come or go are changes as well", () => {
  expect(changesBetween({ a: [1, 2], b: { c: 1 } }, { a: [1], d: [] })).toEqual([
    { path: "a[1]", before: "2", after: undefined },
    { path: "d", before: undefined, after: "[]" },
    { path: "b", before: '{"c":1}', after: undefined },
  ]);
});
