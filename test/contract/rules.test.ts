import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { elementOf } from "../../media/elements/index.ts";
import { parseJob } from "../../media/jobs/parse-job.ts";
import { aJob, aSource } from "../helpers/farm/farm.ts";
import { comingRules } from "./coming.ts";
import { comingValues, testedDefaults, testedFields, testedValues, unseenValues } from "./coverage.ts";
import { classified } from "./every-field/kinds.ts";
import { endpointRows, fieldRows, ruleRows } from "./ledger.ts";
import { rulesOfFields, rulesOfRefusals, rulesOfRoutes, testedRules, unseenRules } from "./rules.ts";

/** Every rule of what is to come is tried by this one. */
const said = "test/contract/coming.test.ts: the job is taken, and a";

const root = join(import.meta.dirname, "../..");

/** Whether a test of these words stands in the file: `file: words of its name`. */
const stands = (place: string): boolean => {
  const [file = "", name = ""] = place.split(": ");
  const path = join(root, file);
  return name !== "" && existsSync(path) && readFileSync(path, "utf8").includes(name);
};

/** This number only falls. */
const mostUnperformed = 13;

/** Rules of fields that no job performs here, with what becomes of the fields. */
const unperformed = new Map<string, string>();

beforeAll(async () => {
  const rules = Object.entries({ ...rulesOfFields, ...rulesOfRefusals });
  for (const [kind, ofKind] of Map.groupBy(rules, ([, rule]) => rule.kind)) {
    const wanted = new Set(ofKind.flatMap(([, { fields }]) => fields));
    const found = new Map((await classified(kind, (name) => wanted.has(name))).map((each) => [each.name, each.is]));
    for (const [id, { fields }] of ofKind) {
      const others = fields.filter((name) => found.get(name) !== "read");
      if (others.length > 0) unperformed.set(id, others.map((name) => `${name} is ${found.get(name)}`).join(", "));
    }
  }
});

describe.each(ruleRows)("$id: $text", ({ id, fields = [] }) => {
  const place = testedRules[id];
  const coming = comingRules[id];
  if (place !== undefined) test(`is tested by ${place}`, () => expect([place, stands(place)]).toEqual([place, true]));
  else if (id in rulesOfFields || rulesOfRoutes.includes(id)) {
    test("is tested by its fields, which are there", () => {
      expect(fields.filter((field) => !fieldRows.some((row) => row.id === field))).toEqual([]);
      expect(unperformed.get(id) ?? "").not.toContain("undefined");
    });
  } else if (coming) test(`waits for ${coming.feature}: ${said}`, () => expect(stands(said)).toBe(true));
  else test("is seen by nobody, for a reason", () => expect(unseenRules[id]).toBeDefined());
});

test.each(Object.entries({ ...testedFields, ...testedValues, ...testedDefaults, ...comingValues }))(
  "%s is tested by %s",
  (_id, place) => expect(stands(place)).toBe(true),
);

test("no more rules than these rest on fields that nothing performs", () => {
  expect(unperformed.size, [...unperformed].map((each) => each.join(": ")).join("\n")).toBeLessThanOrEqual(
    mostUnperformed,
  );
});

test("the tables name rules of the ledger, each in one place", () => {
  const named = [testedRules, comingRules, unseenRules].flatMap(Object.keys);
  const all = [...named, ...Object.keys(rulesOfFields), ...rulesOfRoutes];
  expect([...all, ...Object.keys(rulesOfRefusals)].filter((id) => !ruleRows.some((row) => row.id === id))).toEqual([]);
  expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([]);
});

test("two jobs may have one name", () => {
  expect([parseJob(aJob()).name, parseJob(aJob()).name]).toEqual(["a job", "a job"]);
});

test("elements of one kind may stand side by side", () => {
  const elements = [aSource(), aSource({ uid: "other" })];
  expect(parseJob(aJob({ payload: { elements } })).elements.map(({ kind }) => kind)).toEqual(["source", "source"]);
});

/** A target as the transcode reads it. */
const read = (target: object) => {
  const parsed = elementOf("transcode")?.payload.parse({ targets: [target] }) as { targets: Record<string, never>[] }; // as given
  return JSON.parse(JSON.stringify(parsed.targets[0]));
};

test("scte35 and trims are known by their fields, wrapped or not", () => {
  const scte35 = { use_source_media: "required" };
  const trim = { inpoint_sec: 1, outpoint_sec: 2 };
  const plain = read({ container: { scte35 }, trim });
  expect(read({ container: { scte35: { scte35_in_source: scte35 } }, trim: { by_sec_in_out: trim } })).toEqual(plain);
  expect([plain.container.scte35, plain.trim]).toEqual([{ ...scte35, write_scte35_packets: true }, trim]);
});

test("a filter without a kind is of the usual one", () => {
  const made = read({ video: { filters: [{}] }, container: { filters: [{}] } });
  expect([made.video.filters[0].kind, made.container.filters[0]]).toEqual([
    "extenc",
    { kind: "speed_change", payload: { factor: 1, pitch_correction: true } },
  ]);
});

test("a filter's payload may stand under its kind", () => {
  const filters = [{ kind: "crop", payload: { crop: { left: "10%" } } }];
  expect(read({ video: { filters } }).video.filters[0].payload).toEqual({ left: "10%", use_source_dimensions: false });
});

test("a filter's payload is that of its kind", () => {
  const filters = [{ kind: "fade", payload: { left: 4 } }];
  const element = { uid: "t", kind: "transcode", payload: { targets: [{ video: { filters } }] } };
  expect(parseJob(aJob({ payload: { elements: [element] } })).warnings).toEqual([
    "payload.elements[0].payload.targets[0].video.filters[0].payload.left is not known and has no effect",
  ]);
});

afterAll(() => {
  const size = (table: object) => Object.keys(table).length;
  const values = [...fieldRows, ...endpointRows.flatMap(({ args }) => args)].flatMap((row) => row.enum ?? []).length;
  const seen = ruleRows.length - size(comingRules) - size(unseenRules) - unperformed.size;
  const byFeature = Map.groupBy(Object.entries(comingRules), ([, { feature }]) => feature);
  const lines = [
    "Rows of the ledger, each with a test:",
    `fields ${fieldRows.length} of ${fieldRows.length}, endpoints ${endpointRows.length} of ${endpointRows.length}`,
    `enum values ${values - size(comingValues) - size(unseenValues)} of ${values}: kept; ${size(comingValues)} of what is to come, refused in words; ${size(unseenValues)} that nobody sees`,
    `rules ${seen} of ${ruleRows.length}: kept on a path that is performed; ${unperformed.size} of fields that are refused or without effect; ${size(comingRules)} of what is to come, told in words; ${size(unseenRules)} that nobody sees`,
    ...[...unperformed].map(([id, why]) => `not performed: ${id}: ${why}`),
    ...[...byFeature].map(([feature, rules]) => `to come with ${feature}: ${rules.map(([id]) => id).join(", ")}`),
    ...Object.entries({ ...unseenRules, ...unseenValues }).map(([id, why]) => `seen by nobody: ${id}: ${why}`),
  ];
  console.log(lines.join("\n"));
});
