import { expect, test } from "vitest";
import type { z } from "zod";
import { agentMessage } from "../../../shared/protocol/messages.ts";

/** Values of results are JSON of any shape: the length of a message bounds them, and their own schemas where they are read. */
const freeForm = /\.results\.<value>\.value/;

test("every number, text and list that an agent may send has a bound", () => {
  const unbounded = new Set<string>();
  look(agentMessage, "", unbounded);
  expect([...unbounded].filter((path) => !freeForm.test(path))).toEqual([]);
});

const message = (facts: object) => ({
  type: "commit",
  fence: { epoch: 1, counter: 1 },
  intent: {
    files: [
      {
        ...{ output: "o", temp: "file:///t", final: "file:///f", size: 1, identity: "i", existing: "replace" },
        facts: { format: "mov", size: 1, video: [], audio: [], others: [], ...facts },
      },
    ],
  },
});
const stream = { index: 0, codec: "x", timeBase: { num: 1, den: 1000 } };
const picture = { ...stream, width: 1920, height: 1080 };
const voice = { ...stream, channels: 2, sampleRate: 48_000 };

test.each<[string, object, boolean]>([
  ["usual media", { video: [picture], audio: [voice] }, true],
  ["more channels than anything has", { audio: [{ ...voice, channels: 2_147_483_647 }] }, false],
  ["pictures of a milliard times a milliard", { video: [{ ...picture, width: 1e9, height: 1e9 }] }, false],
  ["a rate of samples beyond sense", { audio: [{ ...voice, sampleRate: 1e15 }] }, false],
])("facts: %s", (_what, facts, isTaken) => {
  expect(agentMessage.safeParse(message(facts)).success).toBe(isTaken);
});

test.each<[string, number, boolean]>([
  ["a day", 25 * 86_400, true],
  ["3,000,000 segments", 25 * 4 * 3_000_000, false],
])("a preview of %s", (_what, steps, isTaken) => {
  const preview = { rate: { num: 25, den: 1 }, steps, picture: null, hasSound: true, source: "x" };
  const response = { is: "preview", state: "s", preview };
  expect(agentMessage.safeParse({ type: "response", id: 1, response }).success).toBe(isTaken);
});

/** Walks a schema by zod's own description of it. */
const look = (schema: z.core.$ZodType, path: string, found: Set<string>): void => {
  const { def } = (schema as z.core.$ZodTypes)._zod; // distinguished by `type`
  if (!isBounded(schema)) found.add(`${path} (${def.type})`);
  for (const [part, inner] of partsOf(schema)) look(inner, path + part, found);
};

/** The schemas within a schema, and what each adds to the path. Schemas that may hold themselves are not entered. */
const partsOf = (schema: z.core.$ZodType): [string, z.core.$ZodType][] => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "object") return Object.entries(def.shape).map(([key, field]) => [`.${key}`, field]);
  if (def.type === "union") return def.options.map((option) => ["", option]);
  if (def.type === "tuple") return def.items.map((item) => ["[]", item]);
  if (def.type === "pipe") return [["", def.in]];
  if (def.type === "array") return [["[]", def.element]];
  if (def.type === "record")
    return [
      [".<key>", def.keyType],
      [".<value>", def.valueType],
    ];
  return "innerType" in def ? [["", def.innerType as z.core.$ZodType]] : [];
};

const isBounded = (schema: z.core.$ZodType): boolean => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const checks = new Set((def.checks ?? []).map((check) => check._zod.def.check));
  if (def.type === "array") return checks.has("max_length") || checks.has("length_equals");
  if (def.type === "record") return checks.has("custom"); // see recordOf
  if (def.type === "string") return checks.has("max_length") || checks.has("string_format");
  if (def.type === "number") return isInteger(schema) || (checks.has("less_than") && checks.has("greater_than"));
  return def.type !== "any" && def.type !== "unknown";
};

/** zod's integers are safe ones. */
const isInteger = (schema: z.core.$ZodType): boolean => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return "check" in def || (def.checks ?? []).some((check) => check._zod.def.check === "number_format");
};
