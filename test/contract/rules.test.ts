import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { elementOf } from "../../shared/elements/index.ts";
import { parseJob } from "../../shared/parse-job.ts";
import { aJob, aSource } from "../helpers/farm.ts";
import { skippedDefaults, skippedFields, skippedValues } from "./coverage.ts";
import { endpointRows, fieldRows, ruleRows } from "./ledger.ts";
import { rulesOfFields, testedRules, untestedMedia, untestedRules } from "./rules.ts";

const root = join(import.meta.dirname, "../..");
const reasonFor = (id: string, kind: string): string | undefined =>
  kind === "open"
    ? "the specification leaves it open"
    : (untestedRules[id] ?? (id.startsWith("2.6") ? untestedMedia : undefined));

describe.each(ruleRows)("$id: $text", ({ id, kind, fields = [] }) => {
  const place = testedRules[id];
  if (place !== undefined) {
    test(`is tested by ${place}`, () => {
      const [file = "", name = ""] = place.split(": ");
      const text = existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "";
      expect([place, name !== "" && text.includes(name)]).toEqual([place, true]);
    });
  } else if (rulesOfFields.includes(id)) {
    test("is tested by its fields", () => {
      expect(fields.filter((field) => !fieldRows.some((row) => row.id === field))).toEqual([]);
    });
  } else {
    test("is not tested, for a reason", () => expect(reasonFor(id, kind)).toBeDefined());
  }
});

test("the tables name rules of the ledger, each in one place", () => {
  const named = [...Object.keys(testedRules), ...rulesOfFields, ...Object.keys(untestedRules)];
  expect(named.filter((id) => !ruleRows.some((row) => row.id === id))).toEqual([]);
  expect(named.filter((id, index) => named.indexOf(id) !== index)).toEqual([]);
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

const byReason = (rules: typeof ruleRows) => Map.groupBy(rules, ({ id, kind }) => reasonFor(id, kind));

afterAll(() => {
  const all = [...fieldRows, ...endpointRows.flatMap(({ args }) => args)];
  const values = all.reduce((sum, row) => sum + (row.enum?.length ?? 0), 0);
  const untested = ruleRows.filter(({ id }) => !(id in testedRules) && !rulesOfFields.includes(id));
  const count = (whole: number, left: object) => `${whole - Object.keys(left).length} of ${whole}`;
  const lines = [
    `fields ${count(fieldRows.length, skippedFields)}, enum values ${count(values, skippedValues)}`,
    `endpoints ${endpointRows.length} of ${endpointRows.length}, rules ${count(ruleRows.length, untested)}`,
    ...Object.entries({ ...skippedFields, ...skippedValues, ...skippedDefaults }).map(([id, why]) => `${id}: ${why}`),
    ...[...byReason(untested)].map(([why, rules]) => `${rules.map(({ id }) => id).join(", ")}: ${why}`),
  ];
  console.log(`Rows of the ledger that a test covers:\n${lines.join("\n")}`);
});
