import type { z } from "zod";
import type { Random } from "../attack.ts";
import { boundOf, boundsOf, defOf, type Making, makeValue, type Schema, strange, textIn } from "./values.ts";

/** A place in the schema of a message, and how a message is made that has a value just there. */
export type Field = {
  readonly path: string;
  readonly schema: Schema;
  /** The rest of the message is sound. */
  readonly around: (value: unknown, making: Making) => unknown;
};

/** All places in a schema, each of a union's options for itself. Schemas that may hold themselves are entered once. */
export const fieldsOf = (schema: Schema, path: string): Field[] => walk({ path, schema, around: (value) => value }, []);

const walk = (field: Field, above: readonly Schema[]): Field[] => {
  if (above.includes(field.schema)) return [];
  return [field, ...partsOf(field).flatMap((part) => walk(part, [...above, field.schema]))];
};

/** The places one step further in. */
const partsOf = ({ path, schema, around }: Field): Field[] => {
  const part = (step: string, inner: Schema, put: (value: unknown, making: Making) => unknown): Field => ({
    path: path + step,
    schema: inner,
    around: (value, making) => around(put(value, making), making),
  });
  const def = defOf(schema);
  switch (def.type) {
    case "object":
      return Object.entries(def.shape).map(([key, inner]) =>
        part(`.${key}`, inner, (value, making) => ({ ...objectOf(def.shape, making, key), [key]: value })),
      );
    case "union":
      return def.options.map((option, nr) => part(`|${nr}`, option, (value) => value));
    case "array":
      return [part("[]", def.element, (value) => [value])];
    case "tuple":
      return def.items.map((item, nr) =>
        part(`[${nr}]`, item, (value, making) =>
          def.items.map((each, at) => (at === nr ? value : makeValue(each, making))),
        ),
      );
    case "record":
      return [
        part("<key>", def.keyType, (value, making) => ({ [textIn(value)]: makeValue(def.valueType, making, "value") })),
        part("<value>", def.valueType, (value, making) => ({ [keyOf(def.keyType, making)]: value })),
      ];
    case "pipe":
      return [part("", def.in, (value) => value)];
    case "lazy":
      return [part("", def.getter(), (value) => value)];
    default:
      return "innerType" in def ? [part("", def.innerType as Schema, (value) => value)] : [];
  }
};

const objectOf = (shape: z.core.$ZodShape, making: Making, without: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([key, inner]) => (key === without ? [] : [[key, makeValue(inner, making, key)]])),
  );

const keyOf = (schema: Schema, making: Making): string => textIn(makeValue(schema, making, "key"));

/** What is put into a field: at its bounds, beyond them, of another kind, too much, or nothing. */
export const valuesFor = (schema: Schema): readonly ((random: Random) => unknown)[] => [
  ...ownValues(schema).map((value) => () => value),
  () => undefined,
  () => null,
  (random) => random.one(strange)(),
];

/** Longer ones are left to chance: a megabyte for each of a thousand fields would measure the network. */
const longest = 70_000;

const ownValues = (schema: Schema): unknown[] => {
  const def = defOf(schema);
  switch (def.type) {
    case "number": {
      const { least = -1e9, most = 1e15 } = boundsOf(def);
      return [least - 1, least, least + 0.5, most, most + 1, 1e308, -1e308, "1"];
    }
    case "string": {
      const most = Math.min(boundOf(def, "max_length"), longest);
      return ["", "x".repeat(most), "x".repeat(most + 1), "\0\n\u202E\u{1F600}", "__proto__", "../..", "\uD800", 1, {}];
    }
    case "array":
      return [[], {}, "list", Array.from({ length: Math.min(boundOf(def, "max_length"), 20_000) + 1 }, () => 0)];
    case "object":
      return [{}, [], "object", JSON.parse('{"__proto__":{"type":"goodbye"},"constructor":1}')];
    case "record":
      return [{}, [], JSON.parse('{"__proto__":1,"toString":2}'), manyKeys];
    case "enum":
    case "literal":
      return ["nonsense", 1, "toString", []];
    case "boolean":
      return [true, false, "true", 0];
    default:
      return [];
  }
};

const manyKeys = Object.fromEntries(Array.from({ length: 10_001 }, (_, nr) => [`k${nr}`, 0]));
