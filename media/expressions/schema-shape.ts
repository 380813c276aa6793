import type { z } from "zod";
import { expressionField } from "./field.ts";

/** What a schema says about the fields below a value, as data that can be walked together with the value. */
export type Shape =
  | { readonly of: "object"; readonly fields: ReadonlyMap<string, Shape | undefined>; readonly isOpen: boolean }
  | { readonly of: "list"; readonly item: Shape | undefined }
  | { readonly of: "choice"; readonly by: string; readonly options: ReadonlyMap<unknown, Shape | undefined> }
  | { readonly of: "either"; readonly options: readonly (Shape | undefined)[] }
  /** A number, or an expression that gives one; `words` are neither. */
  | { readonly of: "expression"; readonly words: RegExp | undefined };

/** The matching one of several shapes. */
export const chosenShape = (shape: Shape | undefined, value: object): Shape | undefined => {
  if (shape?.of === "choice") return shape.options.get(Reflect.get(value, shape.by));
  if (shape?.of !== "either") return shape;
  return shape.options.find((option) => (option?.of === "list") === Array.isArray(value));
};

const cache = new WeakMap<z.core.$ZodType, { readonly shape: Shape | undefined }>();

/** The shape of a schema, computed once per schema; none is recursive. */
export const readSchemaShape = (schema: z.core.$ZodType): Shape | undefined => {
  const kept = cache.get(schema);
  if (kept) return kept.shape;
  const shape = readSchema(schema);
  cache.set(schema, { shape });
  return shape;
};

// zod's own description of a schema: `type` distinguishes its union of types.
const readSchema = (schema: z.core.$ZodType): Shape | undefined => {
  const expression = expressionField(schema);
  if (expression) return { of: "expression", ...expression };
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const fields = new Map(Object.entries(def.shape).map(([key, field]) => [key, readSchemaShape(field)]));
      return { of: "object", fields, isOpen: fields.size === 0 || def.catchall?._zod.def.type === "any" };
    }
    case "array":
      return { of: "list", item: readSchemaShape(def.element) };
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return readSchemaShape(def.innerType);
    case "pipe":
      // A preprocessed schema ends in the real one; a transformed one begins with it.
      return def.out._zod.def.type === "transform" ? undefined : readSchemaShape(def.out);
    case "union":
      return unionOf(schema as z.core.$ZodUnion); // distinguished by `type`
    default:
      return undefined;
  }
};

const unionOf = ({ _zod: { def } }: z.core.$ZodUnion): Shape => {
  const by = "discriminator" in def && typeof def.discriminator === "string" ? def.discriminator : undefined;
  if (by === undefined) return { of: "either", options: def.options.map(readSchemaShape) };
  const options = def.options.flatMap((option) =>
    [...(option._zod.propValues?.[by] ?? [])].map((value) => [value, readSchemaShape(option)] as const),
  );
  return { of: "choice", by, options: new Map(options) };
};
