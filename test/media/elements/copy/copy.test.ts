import { describe, expect, test } from "vitest";
import { elementOf } from "../../../../media/elements/index.ts";
import type { Asset } from "../../../../shared/model/asset.ts";

const inputs = [
  { version: "t0", files: [{ uri: "file:///in/a%20b.mp4" }, { uri: "file:///in/a.srt" }] },
  { version: "t1", files: [{ uri: "s3://in/c.mov" }] },
];

const contextFor = (payload: object, files: readonly Asset[] = inputs) => {
  const parsed = elementOf("copy")?.payload.parse(payload);
  return { uid: "cp", payload: parsed, job: { id: 7, name: "j" }, inputs: files, factsOf: () => undefined };
};
const plan = (payload: object, files: readonly Asset[] = inputs) => elementOf("copy")?.plan(contextFor(payload, files));
const task = { uid: "cp", name: "cp", requires: [], weight: "light" as const, detail: null };
const target = { location: { path: "/out" } };

describe("copy", () => {
  test("is one light task", () => {
    const tasks = [{ uid: "cp", name: "cp", requires: [], weight: "light", detail: null }];
    expect(plan({ target })).toEqual({ tasks });
  });

  test("copies every file of every input under its name", () => {
    const context = contextFor({ target: { ...target, existing_files: "replace" } });
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
        {
          do: "copy",
          id: "copy",
          files: ["0_0", "0_1", "1_0"].map((id) => ({ from: [id], to: id })),
        },
      ],
    });
  });

  test("without an input is a mistake of the job", () => {
    expect(() => plan({ target }, [])).toThrow("cp has nothing to copy: no element feeds it");
  });

  test("removes its sources after all is published, where it is asked to", () => {
    const context = contextFor({ target, options: { delete_sources: "true" } });
    const work = elementOf("copy")?.compile(task, context);
    const files = ["file:///in/a%20b.mp4", "file:///in/a.srt", "s3://in/c.mov"].map((uri) => ({ uri }));
    expect(work?.after).toEqual([{ do: "delete", id: "delete_sources", files }]);
  });

  test("joins the bytes of all that came in, where it is asked to, throttled and some at a time", () => {
    const options = { multi_source_mode: "concatenate", throttle_byte_per_sec: "1000", multi_file_concurrency: 3 };
    const context = contextFor({ target, options });
    const work = elementOf("copy")?.compile(task, context);
    expect(Object.keys(work?.outputs ?? {})).toEqual(["joined"]);
    expect(work?.steps).toEqual([
      {
        ...{ do: "copy", id: "copy", throttle: 1000, concurrency: 3 },
        files: [{ from: ["0_0", "0_1", "1_0"], to: "joined" }],
      },
    ]);
  });

  test("takes the texts of an asset along, and a move deletes them with it", () => {
    const texts = [{ uri: "file:///in/a.vtt", kind: "subtitle" as const }];
    const films = [
      { version: "t0", files: [{ uri: "file:///in/a.mov" }], sidecars: texts },
      { version: "t1", files: [], sidecars: texts },
    ];
    const work = elementOf("copy")?.compile(
      task,
      contextFor({ target, options: { delete_source_on_completion: true } }, films),
    );
    expect(Object.values(work?.outputs ?? {}).map(({ version, name }) => [version, name])).toEqual([
      ["t0", "a.mov"],
      ["t0", "a.vtt"],
      ["t1", "a.vtt"],
    ]);
    const files = [{ uri: "file:///in/a.mov" }, { uri: "file:///in/a.vtt" }];
    expect(work?.after).toEqual([{ do: "delete", id: "delete_sources", files }]);
  });

  test("joins what there is under the first file's name, also where the first input has none: a move loses nothing", () => {
    const empty = { version: "t9", files: [] };
    const context = contextFor({ target, options: { multi_source_mode: "concatenate", delete_sources: true } }, [
      empty,
      ...inputs,
    ]);
    const work = elementOf("copy")?.compile(task, context);
    expect(Object.values(work?.outputs ?? {})).toMatchObject([{ version: "t0", name: "a b.mp4" }]);
    expect(work?.steps).toMatchObject([{ files: [{ from: ["1_0", "1_1", "2_0"], to: "joined" }] }]);
  });

  test("restores nothing from archives", () => {
    const options = { restore_from_glacier: true };
    expect(() => plan({ target, options })).toThrow("cp.payload.options.restore_from_glacier is not implemented");
  });
});
