import type { z } from "zod";
import { expressionField } from "../../../media/expressions/field.ts";

/** One field of a schema, and how to get to it from the top of a payload. */
export type Field = {
  /** `targets[].video.filters[crop].payload.left`. */
  readonly name: string;
  readonly steps: readonly Step[];
  readonly schema: z.core.$ZodType;
};

export type Step =
  | { readonly to: "key"; readonly key: string; readonly schema: z.core.$ZodType }
  | { readonly to: "item"; readonly schema: z.core.$ZodType }
  /** The object is this variant of several. */
  | { readonly to: "variant"; readonly by: string; readonly value: string; readonly schema: z.core.$ZodType };

/** All fields of a schema that hold a value of their own, at every depth. Objects are told by what is in them. */
export const fieldsOf = (schema: z.core.$ZodType, steps: readonly Step[] = []): Field[] => {
  const { def } = real(schema);
  switch (def.type) {
    case "object":
      return Object.entries(def.shape).flatMap(([key, field]) => fieldsAt(field, [...steps, stepTo(key, field)]));
    case "array":
      return fieldsOf(def.element, [...steps, { to: "item", schema: def.element }]);
    case "record":
      return fieldsOf(def.valueType, [...steps, { to: "key", key: anyKey, schema: def.valueType }]);
    case "union":
      return "discriminator" in def && typeof def.discriminator === "string"
        ? def.options.flatMap((option) => fieldsOfVariant(option, def.discriminator as string, steps))
        : unique(def.options.flatMap((option) => fieldsOf(option, steps)));
    default:
      return [];
  }
};

/** The key of a record in which any key may stand. */
const anyKey = "a";

const stepTo = (key: string, schema: z.core.$ZodType): Step => ({ to: "key", key, schema });

const fieldsAt = (schema: z.core.$ZodType, steps: readonly Step[]): Field[] => {
  const inside = fieldsOf(schema, steps);
  return inside.length > 0 && !hasPlainForm(schema) ? inside : [{ name: nameOf(steps), steps, schema }, ...inside];
};

/** Whether the field may be a plain value beside an object or a list of objects. */
const hasPlainForm = (schema: z.core.$ZodType): boolean => {
  const { def } = real(schema);
  if (def.type === "array") return hasPlainForm(def.element);
  if (def.type !== "union") return !["object", "record"].includes(def.type);
  return !("discriminator" in def && def.discriminator) && def.options.some(hasPlainForm);
};

const fieldsOfVariant = (option: z.core.$ZodType, by: string, steps: readonly Step[]): Field[] =>
  [...(real(option).propValues?.[by] ?? [])].flatMap((value) =>
    fieldsOf(option, [...steps, { to: "variant", by, value: String(value), schema: option }]).filter(
      ({ steps: [...all] }) => {
        const last = all.at(-1);
        return !(all.length === steps.length + 2 && last?.to === "key" && last.key === by);
      },
    ),
  );

const unique = (fields: readonly Field[]): Field[] =>
  fields.filter(({ name }, index) => fields.findIndex((each) => each.name === name) === index);

const nameOf = (steps: readonly Step[]): string =>
  steps
    .reduce((text, step) => {
      if (step.to === "item") return `${text}[]`;
      if (step.to === "variant")
        return text.endsWith("[]") ? `${text.slice(0, -1)}${step.value}]` : `${text}(${step.value})`;
      return `${text}.${step.key}`;
    }, "")
    .replace(/^\./, "");

/** The schema that remains without `optional`, defaults and what prepares a value. */
export const real = (schema: z.core.$ZodType): z.core.$ZodTypes["_zod"] => {
  const { _zod } = schema as z.core.$ZodTypes; // zod's own description: `type` tells its kinds apart
  const { def } = _zod;
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return real(def.innerType);
    case "pipe":
      return real(def.out._zod.def.type === "transform" ? def.in : def.out);
    default:
      return _zod;
  }
};

/** A few values that the schema may accept; `examples` are for those that must mean something. */
export const valuesFor = (schema: z.core.$ZodType, examples: readonly unknown[]): unknown[] => {
  if (examples.length > 0) return [...examples];
  if (expressionField(schema)) return [200, 2, "1/2"];
  const { def } = real(schema);
  switch (def.type) {
    case "enum":
      return Object.values(def.entries);
    case "literal":
      return [...def.values];
    case "boolean":
      return [true, false];
    case "number":
      return numbersFor(schema);
    case "string":
      return ["x", "y"];
    case "array":
      return valuesFor(def.element, []).map((value) => [value]);
    case "record":
      return valuesFor(def.valueType, []).map((value) => ({ [anyKey]: value }));
    case "union":
      return def.options.flatMap((option) => valuesFor(option, []));
    case "object":
      return [smallest(schema)];
    default:
      return [{ a: 1 }, "x", true];
  }
};

const numbers = [2, 1, 3, 0, 25, 100, 0.5, 200, 5000, -20];

const numbersFor = (schema: z.core.$ZodType): number[] => {
  const { bag = {} } = real(schema) as { bag?: { minimum?: number; maximum?: number; format?: string } };
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY, format } = bag;
  const all = [...numbers, minimum, maximum].filter(Number.isFinite);
  const fitting = all.filter((each) => each >= minimum && each <= maximum && (!format || Number.isInteger(each)));
  return [...new Set(fitting)];
};

/** The least object that the schema accepts. */
export const smallest = (schema: z.core.$ZodType): unknown => {
  const { def } = real(schema);
  if (def.type === "array") return [];
  if (def.type === "union") return "discriminator" in def ? {} : smallest(def.options[0] as z.core.$ZodType); // it has some
  if (def.type !== "object") return valuesFor(schema, [])[0];
  const needed = Object.entries(def.shape).filter(
    ([, field]) => field._zod.optin === undefined && real(field).def.type !== "array",
  );
  return Object.fromEntries(needed.map(([key, field]) => [key, smallest(field)]));
};
