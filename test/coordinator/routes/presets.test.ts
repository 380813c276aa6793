import { describe, expect, test } from "vitest";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aConnection, aCopy, aSource } from "../../helpers/farm/farm.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const world = aWorldPerTest({
  open: openTestCoordinator,
  close: ({ coordinator }) => coordinator.close(),
});

const aPreset = (changes: object = {}) => ({
  key: "to_archive",
  name: "Archive",
  kind: "copy",
  path: "house",
  user_data: { team: 7 },
  payload: { target: { location: { storage_provider: "file", path: "/archive" }, existing_files: "fail" } },
  ...changes,
});
const ask = async (method: string, path: string, body?: object | string) => {
  const answer = await world().api(method, path, { body });
  return [answer.status, answer.body];
};
const refused = (status: number, error: string, message: string) => [
  status,
  { success: "false", error, message, details: [] },
];

test("presets of one program have 8 MB in all: a list of them is read at once; a smaller one may always take the place of one", async () => {
  const large = (key: string, length = 120_000) => aPreset({ key, payload: { note: "x".repeat(length) } });
  let stored = 0;
  for (; stored < 100; stored += 1) if ((await ask("POST", "/presets", large(`fill ${stored}`)))[0] !== 200) break;
  expect(stored).toBe(69);
  expect(await ask("POST", "/presets", large("one more"))).toMatchObject([409, { error: "CONFLICT" }]);
  expect(await ask("POST", "/presets", large("fill 0", 100))).toMatchObject([200, {}]);
  expect(await ask("POST", "/presets", large("one more"))).toMatchObject([200, {}]);
});

describe("a preset", () => {
  test("is stored and given back as it was sent", async () => {
    const strange = aPreset({ colour: "green" });
    expect(await ask("POST", "/presets", strange)).toEqual([
      200,
      { success: "true", message: 'Preset "to_archive" is stored' },
    ]);
    expect(await ask("GET", "/presets/to_archive")).toEqual([200, strange]);
  });

  test("is listed without its payload", async () => {
    await ask("POST", "/presets", aPreset({ key: "b" }));
    await ask("POST", "/presets", { key: "a", payload: {} });
    expect(await ask("GET", "/presets")).toEqual([
      200,
      {
        items: [
          { key: "a", kind: "transcode" },
          { key: "b", name: "Archive", kind: "copy", path: "house" },
        ],
      },
    ]);
  });

  test("is replaced by another of its key", async () => {
    await ask("POST", "/presets", aPreset());
    await ask("POST", "/presets", aPreset({ name: "New" }));
    expect(await ask("GET", "/presets/to_archive")).toMatchObject([200, { name: "New" }]);
  });

  test("has a key of any characters but control ones", async () => {
    const key = "ä/b c%2F?#";
    await ask("POST", "/presets", aPreset({ key }));
    expect(await ask("GET", `/presets/${encodeURIComponent(key)}`)).toMatchObject([200, { key }]);
    expect((await ask("DELETE", `/presets/${encodeURIComponent(key)}`))[0]).toBe(200);
  });

  test("is deleted at once", async () => {
    await ask("POST", "/presets", aPreset());
    expect(await ask("DELETE", "/presets/to_archive")).toEqual([
      200,
      { success: "true", message: 'Preset "to_archive" is deleted' },
    ]);
    const missing = refused(404, "NOT_FOUND", 'There is no preset "to_archive"');
    expect(await ask("GET", "/presets/to_archive")).toEqual(missing);
    expect(await ask("DELETE", "/presets/to_archive")).toEqual(missing);
  });

  test.each([
    ["no key", { key: undefined }, "key"],
    ["a long key", { key: "x".repeat(191) }, "key"],
    ["a control character in its key", { key: "a\u0001b" }, "key"],
    ["a key that no path can hold", { key: ".." }, "key"],
    ["a kind that is not known", { kind: "magic" }, "kind"],
    ["a payload that is no object", { payload: [] }, "payload"],
    ["a payload that is too long", { payload: { text: "x".repeat(128_000) } }, "payload"],
    ["too much beside its payload", { user_data: "x".repeat(256_000) }, "the preset"],
  ])("with %s is refused with success as a text", async (_, changes, path) => {
    expect(await ask("POST", "/presets", aPreset(changes))).toEqual([
      400,
      {
        success: "false",
        error: "VALIDATION_FAILED",
        message: expect.stringContaining(path),
        details: [{ path, message: expect.any(String) }],
      },
    ]);
  });

  test("that is no JSON is refused with success as a text", async () => {
    expect(await ask("POST", "/presets", "{")).toMatchObject([400, { success: "false", error: "INVALID_JSON" }]);
  });
});

describe("a job that names a preset", () => {
  const aJob = (copy: object) => ({
    name: "a job",
    payload: { elements: [aSource(), aCopy({ payload: {}, ...copy })], connections: [aConnection("src", ["copy"])] },
  });

  test("runs with the preset's payload as it was at submission, and is echoed as it was sent", async () => {
    await ask("POST", "/presets", aPreset());
    const job = aJob({ preset: { key: "to_archive" }, payload: { target: { file_pattern: "{source_name}" } } });
    const [status, { id }] = (await ask("POST", "/jobs", job)) as [number, { id: string }];
    expect(status).toBe(200);
    await ask("DELETE", "/presets/to_archive");
    expect(stored(world().coordinator.farm).runs(Number(id))[1]?.spec.payload).toMatchObject({
      target: { location: { path: "/archive" }, existing_files: "fail", file_pattern: "{source_name}" },
    });
    expect(await ask("GET", `/jobs/${id}/definition`)).toEqual([200, { priority: 100, ...job }]);
  });

  test("is refused where there is none of that key, with the one that was probably meant", async () => {
    await ask("POST", "/presets", aPreset());
    const [, { message }] = (await ask("POST", "/jobs", aJob({ preset: { key: "to_archve" } }))) as [
      number,
      { message: string },
    ];
    expect(message).toMatch(/there is no preset "to_archve"; did you mean "to_archive"\?$/);
  });

  test("is refused where there is none of that key", async () => {
    const path = "payload.elements[1].preset.key";
    expect(await ask("POST", "/jobs", aJob({ preset: { key: "nobody" } }))).toEqual([
      400,
      {
        success: false,
        error: "VALIDATION_FAILED",
        message: `${path}: there is no preset "nobody"`,
        details: [{ path, message: 'there is no preset "nobody"' }],
      },
    ]);
  });
});
