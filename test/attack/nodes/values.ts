import { safeParse, type z } from "zod";
import type { Random } from "../attack.ts";

/** Values that mean something in the farm that is attacked, by the name of the field that holds them. */
export type Known = (field: string) => unknown;

/**
 * How one value is made: by its schema, with what is known. `badness` is the share of values that break the schema; one
 * that `isSound` keeps to it everywhere.
 */
export type Making = {
  readonly random: Random;
  readonly known: Known;
  readonly badness: number;
  readonly isSound?: boolean;
};

export type Schema = z.core.$ZodType;
export type Def = z.core.$ZodTypes["_zod"]["def"];

/** A value of a schema: at its bounds, beyond them, of another kind, or one that means something here. */
export const makeValue = (schema: Schema, making: Making, field = "", depth = 0): unknown => {
  const { random, known, badness, isSound } = making;
  if (random.chance(badness)) return random.one(strange)();
  if (random.chance(0.5)) {
    const value = known(field);
    if (value !== undefined && !(isSound && !isTaken(schema, value))) return value;
  }
  return byKind(defOf(schema), making, field, depth);
};

/** Zod's own description of a schema. */
export const defOf = (schema: Schema): Def => (schema as z.core.$ZodTypes)._zod.def; // distinguished by `type`

const isTaken = (schema: Schema, value: unknown): boolean => safeParse(schema, value).success;

const byKind = (def: Def, making: Making, field: string, depth: number): unknown => {
  const { random, isSound = false } = making;
  const inner = (each: Schema, name = field) => makeValue(each, making, name, depth + 1);
  switch (def.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(def.shape)
          .filter(([, each]) => !mayBeAbsent(each) || random.chance(depth > 6 ? 0 : 0.5))
          .map(([key, each]) => [key, inner(each, key)]),
      );
    case "union":
      return inner(random.one(def.options));
    case "array":
      return Array.from({ length: lengthOf(boundOf(def, "max_length"), making, depth) }, () => inner(def.element));
    case "tuple":
      return def.items.map((item) => inner(item));
    case "record":
      return Object.fromEntries(
        Array.from({ length: lengthOf(20, making, depth) }, () => [
          textIn(inner(def.keyType, "key")),
          inner(def.valueType, "value"),
        ]),
      );
    case "enum":
      return random.one(Object.values(def.entries));
    case "literal":
      return random.one(def.values);
    case "boolean":
      return random.chance(0.5);
    case "number":
      return isSound ? soundNumber(def, random) : numberOf(def, random);
    case "string":
      return textOf(boundOf(def, "max_length"), making);
    case "nullable":
      return random.chance(0.3) ? null : inner(def.innerType);
    case "pipe":
      return inner(def.in);
    case "lazy":
      return inner(def.getter());
    case "unknown":
    case "any":
      return random.one(strange)();
    case "null":
      return null;
    default:
      return "innerType" in def ? inner(def.innerType as Schema) : null;
  }
};

export const textIn = (value: unknown): string => (typeof value === "string" ? value : String(JSON.stringify(value)));

export const mayBeAbsent = (schema: Schema): boolean => ["optional", "default"].includes(defOf(schema).type);

type Check = {
  readonly check: string;
  readonly value?: unknown;
  readonly maximum?: unknown;
  readonly length?: unknown;
};

const checksOf = (def: Def): Check[] => (def.checks ?? []).map((check) => check._zod.def as Check);

export const boundOf = (def: Def, name: string): number => {
  const found = checksOf(def).find(({ check }) => check === name);
  return Number(found?.maximum ?? 100);
};

/** Few as a rule, none at times, and rarely as many as there may be, or one more. */
const lengthOf = (most: number, { random, isSound }: Making, depth: number): number => {
  if (depth > 6) return 0;
  const roll = random.integer(0, 999);
  if (roll < 300) return 0;
  if (roll < 998 || isSound) return Math.min(most, random.integer(1, depth > 2 ? 1 : 3));
  return Math.min(most + random.integer(0, 1), depth > 3 ? 200 : 3000);
};

/** The bounds of a number, as far as it has any. */
export const boundsOf = (def: Def): { readonly least: number | undefined; readonly most: number | undefined } => {
  const bound = (name: string) => checksOf(def).find(({ check }) => check === name)?.value;
  const [least, most] = [bound("greater_than"), bound("less_than")];
  return {
    least: least === undefined ? undefined : Number(least),
    most: most === undefined ? undefined : Number(most),
  };
};

const isInteger = (def: Def): boolean => "check" in def || checksOf(def).some(({ check }) => check === "number_format");

const soundNumber = (def: Def, random: Random): number => {
  const { least = -1000, most = 1000 } = boundsOf(def);
  return Math.min(most, Math.floor(least) + random.one([1, 1, 2, 25, 1000]));
};

const numberOf = (def: Def, random: Random): number => {
  const { least, most } = boundsOf(def);
  const near = [least, most].flatMap((bound) => (bound === undefined ? [] : [bound, bound, bound - 1, bound + 1]));
  const value = random.one([...near, 0, 1, 2, 25, 1000, random.integer(0, 1e6), 2 ** 31 - 1, Number.MAX_SAFE_INTEGER]);
  return isInteger(def) || random.chance(0.7) ? value : value + 0.5;
};

const texts = [
  "",
  "a",
  "../../../etc/passwd",
  "\0",
  "__proto__",
  "constructor",
  "\u{1F600}\u202E",
  "%2e%2e%2f",
  "'; DROP TABLE tasks; --",
  "{{a}}",
  "<script>alert(1)</script>",
  '\n{"level":60}\n',
  "file:///etc/shadow",
  "s3://bucket/key#upload=1",
] as const;

const textOf = (most: number, { random, isSound }: Making): string => {
  if (isSound) return random.one(texts).slice(0, most) || "a";
  if (random.chance(0.9995)) return random.one(texts).slice(0, most);
  return "x".repeat(Math.min(most + random.integer(0, 1), 70_000));
};

/** What no field asks for. */
export const strange: readonly (() => unknown)[] = [
  () => null,
  () => -1,
  () => 1e308,
  () => Number.MAX_SAFE_INTEGER + 1,
  () => "",
  () => "x".repeat(20_000),
  () => [],
  () => ({}),
  () => ({ __proto__: null, constructor: { prototype: 1 } }),
  () => true,
  () => Array.from({ length: 500 }, (_, nr) => nr),
  () => nested(60),
];

const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: [nested(depth - 1)] });
