import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseJob } from "../../../media/jobs/parse-job.ts";
import { unknownFields } from "../../../media/jobs/unknown-fields.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { looseInteger, openObject } from "../../../shared/basics/loose-values.ts";
import { aConnection, aJob, aSource } from "../../helpers/farm/farm.ts";

const unknown = (schema: z.ZodType, value: unknown) =>
  unknownFields(schema, schema.parse(value), (path) => path).map(({ path }) => path);
const known = z.looseObject({ known: looseInteger().optional() });

describe("a field that nobody knows is found", () => {
  test.each<[string, z.ZodType, unknown, string[]]>([
    ["in an object", known, { known: 1, a: 1 }, ["a"]],
    ["in a list", z.array(known), [{}, { a: 1 }], ["[1].a"]],
    ["behind a default", z.looseObject({ at: known.default({}) }), { at: { a: 1 } }, ["at.a"]],
    ["behind what prepares a value", z.preprocess((value) => value, known), { a: 1 }, ["a"]],
    ["where a value may be one or many", z.union([known, z.array(known)]), [{ a: 1 }], ["[0].a"]],
    [
      "by the kind of its object",
      z.discriminatedUnion("kind", [known.extend({ kind: z.literal("x") }), z.looseObject({ kind: z.literal("y") })]),
      { kind: "x", a: 1 },
      ["a"],
    ],
    ["with all below it at once", known, { a: { b: { c: 1 } } }, ["a"]],
    ["whatever its name is", known, { constructor: 1, toString: 2 }, ["constructor", "toString"]],
  ])("%s", (_where, schema, value, expected) => {
    expect(unknown(schema, value)).toEqual(expected);
  });
});

test("objects that are open for other hands are passed over", () => {
  expect(unknown(z.looseObject({ free: z.looseObject({}) }), { free: { a: 1 } })).toEqual([]);
  expect(unknown(openObject({ known: known.optional() }), { a: 1, known: { b: 1 } })).toEqual(["known.b"]);
});

test("a hundred are told at most", () => {
  const fields = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1]));
  expect(unknown(known, fields)).toHaveLength(100);
});

test("a job is warned about at every depth, by the full path, and told what was probably meant", () => {
  const meantBy: Record<string, string> = { nmae: "name", second: "seconds", lft: "left", option: "options" };
  const target = {
    video: { filters: [{ kind: "crop", payload: { lft: 1 } }], idr_interval: { second: 2 } },
    container: { scte35: { scte35_sections: [{ spliceInfoSection: { spliceInsert: { availNumber: 1 } } }] } },
    audio: [{ filters: [{ kind: "normalize", payload: { kind: "peak", payload: { peak_db: 1 } } }] }],
  };
  const source = aSource({
    payload: { kind: "asset_url", payload: { url: "/a", trim: { inpoint: "track_begin", x: 1 } } },
  });
  const elements = [source, { uid: "t", kind: "transcode", payload: { targets: [target], option: 1 } }];
  const connections = [{ ...aConnection("src", ["t"], []), note: "x" }];
  const { warnings } = parseJob(aJob({ payload: { elements, connections }, nmae: "x" }));
  const at = "payload.elements[1].payload";
  expect(warnings).toEqual(
    [
      "nmae",
      "payload.elements[0].payload.payload.trim.x",
      `${at}.targets[0].container.scte35.scte35_sections[0].spliceInfoSection.spliceInsert.availNumber`,
      `${at}.targets[0].video.idr_interval.second`,
      `${at}.targets[0].video.filters[0].payload.lft`,
      `${at}.targets[0].audio[0].filters[0].payload.payload.peak_db`,
      `${at}.option`,
      "payload.connections[0].note",
    ].map((path) => {
      const meant = meantBy[path.split(".").at(-1) ?? ""];
      return `${path} is not known and has no effect${meant ? `; did you mean ${meant}?` : ""}`;
    }),
  );
});

describe("what was probably meant", () => {
  const video = z.looseObject({ bitrate_kb: looseInteger().optional(), bitrate_mode: z.string().optional() });
  const task = z.looseObject({ tags: z.array(z.string()).optional() });
  const element = z.looseObject({ video: video.optional(), task: task.optional(), other: task.optional() });
  const meantIn = (schema: z.ZodType, name: string) =>
    unknownFields(schema, { [name]: 1 }, (path) => path).map(({ meant }) => meant);

  test.each([
    ["a name with a slip", video, "bitrate_kbs", "bitrate_kb"],
    ["a name without its unit", video, "bitrate", "bitrate_kb"],
    ["a field of the only object beside it that has it", element.omit({ other: true }), "tags", "task.tags"],
    ["nothing where two objects beside it have it", element, "tags", undefined],
    ["nothing where no name is near", element, "colour", undefined],
  ])("is %s", (_what, schema, name, meant) => {
    expect(meantIn(schema, name)).toEqual([meant]);
  });
});

describe("a job that is refused", () => {
  const detailsOf = (job: Record<string, unknown>): readonly { path: string; message: string }[] => {
    try {
      parseJob(job);
    } catch (problem) {
      if (problem instanceof AppError) return problem.details;
    }
    throw new Error("The job was not refused");
  };

  test("is told of the misspelt field that stands for what is missing", () => {
    const { elements, ...payload } = { elements: [aSource()], connections: [] };
    expect(detailsOf(aJob({ payload: { ...payload, element: elements } }))).toEqual([
      { path: "payload.elements", message: "is required: must be a list" },
      { path: "payload.element", message: "is not known and has no effect; did you mean elements?" },
    ]);
  });

  test("is told which element was probably meant by a connection to none", () => {
    const elements = [aSource(), { uid: "transcode", kind: "transcode", payload: { targets: [{}] } }];
    const [fault] = detailsOf(aJob({ payload: { elements, connections: [aConnection("src", ["transcod"], [])] } }));
    expect(fault).toEqual({
      path: "payload.connections[0].to.success[0].element",
      message: 'there is no element with uid "transcod"; did you mean "transcode"?',
    });
  });
});
