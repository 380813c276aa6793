import { describe, expect, test } from "vitest";
import { elementOf } from "../../shared/elements/index.ts";

const inputs = [
  { version: "t0", files: [{ uri: "file:///in/a%20b.mp4" }, { uri: "file:///in/a.srt" }] },
  { version: "t1", files: [{ uri: "s3://in/c.mov" }] },
];

const contextFor = (payload: object, files = inputs) => {
  const parsed = elementOf("copy")?.payload.parse(payload);
  return { uid: "cp", payload: parsed, job: { id: 7, name: "j" }, inputs: files, factsOf: () => undefined };
};
const plan = (payload: object, files = inputs) => elementOf("copy")?.plan(contextFor(payload, files));
const target = { location: { path: "/out" } };

describe("copy", () => {
  test("is one light task", () => {
    const tasks = [{ uid: "cp", name: "cp", requires: [], weight: "light", detail: null }];
    expect(plan({ target })).toEqual({ tasks });
  });

  test("copies every file of every input under its name", () => {
    const context = contextFor({ target: { ...target, existing_files: "replace" } });
    const task = { uid: "cp", name: "cp", requires: [], weight: "light" as const, detail: null };
    const common = { folder: "file:///out", isSequence: false, existing: "replace" };
    expect(elementOf("copy")?.compile(task, context)).toEqual({
      assets: {
        "0_0": { uri: "file:///in/a%20b.mp4" },
        "0_1": { uri: "file:///in/a.srt" },
        "1_0": { uri: "s3://in/c.mov" },
      },
      outputs: {
        "0_0": { version: "t0", name: "a b.mp4", ...common },
        "0_1": { version: "t0", name: "a.srt", ...common },
        "1_0": { version: "t1", name: "c.mov", ...common },
      },
      steps: [
        { do: "copy", id: "copy_0_0", from: "0_0", to: "0_0" },
        { do: "copy", id: "copy_0_1", from: "0_1", to: "0_1" },
        { do: "copy", id: "copy_1_0", from: "1_0", to: "1_0" },
      ],
    });
  });

  test("without an input is a mistake of the job", () => {
    expect(() => plan({ target }, [])).toThrow("cp has nothing to copy: no element feeds it");
  });

  test("that would delete its sources is not implemented", () => {
    const options = { delete_sources: "true" };
    expect(() => plan({ target, options })).toThrow("cp.payload.options.delete_sources is not implemented yet");
  });
});
