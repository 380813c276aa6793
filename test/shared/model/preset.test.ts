import { describe, expect, test } from "vitest";
import { applyPresets, type Preset } from "../../../shared/model/preset.ts";

const house: Preset = {
  key: "house",
  kind: "transcode",
  payload: {
    options: { a: 1 },
    targets: [
      { container: { kind: "mp4" }, video: { codec: "h264", bitrate_kb: 900 } },
      { container: { kind: "mov" } },
    ],
  },
};
const known: Record<string, Preset> = {
  house,
  named: { ...house, key: "named", payload: { location: { path: "/out/{{title}}" } } },
  long: { ...house, key: "long", payload: { text: "x".repeat(120_000) } },
};

const withPresets = (...elements: object[]) =>
  applyPresets({ name: "a job", payload: { elements }, definitions: { title: "night" } }, (key) => known[key]);
const payloadOf = (element: object) => {
  const { payload } = withPresets({ uid: "t", kind: "transcode", preset: { key: "house" }, ...element });
  return (payload as { elements: { payload: unknown }[] }).elements[0]?.payload;
};

describe("an element that names a preset", () => {
  test("has the preset's payload where it has none", () => {
    expect(payloadOf({})).toEqual(house.payload);
  });

  test("has its own fields over the preset's, objects merged", () => {
    expect(payloadOf({ payload: { options: { b: 2 }, location: { path: "/out" } } })).toEqual({
      ...house.payload,
      options: { a: 1, b: 2 },
      location: { path: "/out" },
    });
  });

  test("has targets merged with those in their place, and keeps what is more on either side", () => {
    const [first, second] = house.payload.targets as [object, object];
    const own = { file_pattern: "x.mp4", video: { bitrate_kb: 500 } };
    expect(payloadOf({ payload: { targets: [own] } })).toMatchObject({
      targets: [{ ...first, file_pattern: "x.mp4", video: { codec: "h264", bitrate_kb: 500 } }, second],
    });
    expect(payloadOf({ payload: { targets: [{}, {}, { uid: "third" }] } })).toMatchObject({
      targets: [first, second, { uid: "third" }],
    });
  });

  test("has its own value where one side is no object, and its own lists elsewhere", () => {
    expect(payloadOf({ payload: { options: null, targets: [{ video: "none" }] } })).toMatchObject({
      options: null,
      targets: [{ container: { kind: "mp4" }, video: "none" }, { container: { kind: "mov" } }],
    });
  });

  test("has the preset's placeholders filled in from the job's definitions", () => {
    expect(payloadOf({ preset: { key: "named" } })).toEqual({ location: { path: "/out/night" } });
  });
});

test("a job without presets stays the same object", () => {
  const job = { name: "a job", payload: { elements: [{ uid: "s", kind: "source", preset: "fast" }] } };
  expect(applyPresets(job, () => undefined)).toBe(job);
});

test.each([
  ["is not known", { preset: { key: "nobody" } }, 'there is no preset "nobody"'],
  ["has a name that every object has", { preset: { key: "toString" } }, 'there is no preset "toString"'],
  ["is for another kind", { kind: "copy" }, 'preset "house" is for elements of kind transcode, and this one is copy'],
])("a preset that %s is refused by name and place", (_, changes, message) => {
  const lookUp = (key: string) => (Object.hasOwn(known, key) ? known[key] : undefined);
  const elements = [{}, { uid: "t", kind: "transcode", preset: { key: "house" }, ...changes }];
  const path = "payload.elements[1].preset.key";
  expect(() => applyPresets({ payload: { elements } }, lookUp)).toThrow(
    expect.objectContaining({ code: "VALIDATION_FAILED", details: [{ path, message }] }),
  );
});

test("presets cannot blow a job up without end", () => {
  const element = { uid: "t", kind: "transcode", preset: { key: "long" } };
  expect(() => withPresets(...Array.from({ length: 9 }, () => element))).toThrow(
    "payload.elements[8].preset.key: presets put more than 1000000 characters into the job",
  );
});

test("what definitions put into presets is counted for all elements together", () => {
  const kept: Preset = { ...house, payload: { junk: "{{long}}" } };
  const elements = Array.from({ length: 12 }, (_, nr) => ({
    uid: `t${nr}`,
    kind: "transcode",
    preset: { key: "kept" },
  }));
  const job = { payload: { elements }, definitions: { long: "x".repeat(100_000) } };
  expect(() => applyPresets(job, () => kept)).toThrow("definitions expand to more than 1000000 characters");
});

test("a preset's __proto__ is a name like any other, and changes no object", () => {
  const evil: Preset = { ...house, payload: JSON.parse('{"__proto__": {"polluted": true}, "targets": []}') };
  const element = { uid: "t", kind: "transcode", preset: { key: "evil" }, payload: { targets: [{}] } };
  applyPresets({ payload: { elements: [element] } }, () => evil);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
