import { expect, test } from "vitest";
import type { PlanContext } from "../../../../media/elements/element.ts";
import { folderEnum } from "../../../../media/elements/folder-enum/index.ts";

const contextOf = (payload: object): PlanContext<unknown> => ({
  ...{ uid: "all#2", payload: folderEnum.payload.parse(payload), job: { id: 1, name: "n" }, inputs: [] },
  factsOf: () => undefined,
});
const planned = (payload: object) => {
  const context = contextOf(payload);
  const plan = folderEnum.plan(context);
  if (!("tasks" in plan)) throw new Error("a listing needs no facts");
  return plan.tasks.map((task) => ({ task, work: folderEnum.compile(task, context) }));
};

test("a folder is listed by one light task", () => {
  const settings = { wildcard: "*.mov", recursive: "true", files_per_job: "50" };
  const folder = "file:///in/day%201";
  expect(planned({ source: { path: "/in/day 1" }, settings })).toEqual([
    {
      task: { uid: "all#2", name: `list ${folder}`, requires: [], weight: "light", detail: null },
      work: {
        assets: {},
        outputs: {},
        steps: [
          {
            ...{ do: "list", id: "list", folder, mayBeMissing: false },
            selection: { pattern: { wildcard: "*.mov" }, isRecursive: true },
          },
        ],
      },
    },
  ]);
});

test.each(["s3://bucket/in", "swift://c/in", "gs://bucket/in"])("a folder that is missing in %s is empty", (path) => {
  expect(planned({ source: { path } })[0]?.work.steps).toMatchObject([{ folder: path, mayBeMissing: true }]);
});

test("batches are as large as files_per_job says, one file if it says nothing", () => {
  const results = { list: { kind: "listed", value: { files: 7, bytes: 70 } } };
  const batches = (settings?: object) =>
    folderEnum.batches?.(contextOf({ source: { path: "/in" }, settings }).payload, results);
  expect([batches(), batches({ files_per_job: 3 })]).toEqual([
    { files: 7, size: 1 },
    { files: 7, size: 3 },
  ]);
});

test("a regular expression that is asked for and missing is refused, and what a read folder ignores is told", () => {
  const source = { path: "/in", permissions: { mode: 1 } };
  const payload = folderEnum.payload.parse({ source, settings: { pattern_matching: "regex" } });
  expect(folderEnum.conflicts?.(payload)).toEqual([
    { path: ["settings", "regex"], message: "is required when pattern_matching is regex", isStrict: true },
    { path: ["source", "permissions"], message: "the folder is only read", isStrict: false },
  ]);
});
