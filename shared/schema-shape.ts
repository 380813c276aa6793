import type { z } from "zod";
import { expressionField } from "./expressions/field.ts";

/** What a schema says about the fields below a value, as data that can be walked along with the value. */
export type Shape =
  | { readonly of: "object"; readonly fields: ReadonlyMap<string, Shape | undefined>; readonly isOpen: boolean }
  | { readonly of: "list"; readonly item: Shape | undefined }
  | { readonly of: "choice"; readonly by: string; readonly options: ReadonlyMap<unknown, Shape | undefined> }
  | { readonly of: "either"; readonly options: readonly (Shape | undefined)[] }
  /** A number, or an expression that gives one; `words` are neither. */
  | { readonly of: "expression"; readonly words: RegExp | undefined };

/** The one of several shapes that a value has. */
export const chosenShape = (shape: Shape | undefined, value: object): Shape | undefined => {
  if (shape?.of === "choice") return shape.options.get(Reflect.get(value, shape.by));
  if (shape?.of !== "either") return shape;
  return shape.options.find((option) => (option?.of === "list") === Array.isArray(value));
};

const cache = new WeakMap<z.core.$ZodType, { readonly shape: Shape | undefined }>();

/** The shape of a schema, worked out once for each of them; none goes in a circle. */
export const shapeOf = (schema: z.core.$ZodType): Shape | undefined => {
  const kept = cache.get(schema);
  if (kept) return kept.shape;
  const shape = readSchema(schema);
  cache.set(schema, { shape });
  return shape;
};

// zod's own description of a schema: its union of types is told apart by `type`.
const readSchema = (schema: z.core.$ZodType): Shape | undefined => {
  const expression = expressionField(schema);
  if (expression) return { of: "expression", ...expression };
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const fields = new Map(Object.entries(def.shape).map(([key, field]) => [key, shapeOf(field)]));
      return { of: "object", fields, isOpen: fields.size === 0 || def.catchall?._zod.def.type === "any" };
    }
    case "array":
      return { of: "list", item: shapeOf(def.element) };
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return shapeOf(def.innerType);
    case "pipe":
      // A schema that is prepared for ends in the real one; one whose result is made into something else begins with it.
      return def.out._zod.def.type === "transform" ? undefined : shapeOf(def.out);
    case "union":
      return unionOf(schema as z.core.$ZodUnion); // told apart by `type`
    default:
      return undefined;
  }
};

const unionOf = ({ _zod: { def } }: z.core.$ZodUnion): Shape => {
  const by = "discriminator" in def && typeof def.discriminator === "string" ? def.discriminator : undefined;
  if (by === undefined) return { of: "either", options: def.options.map(shapeOf) };
  const options = def.options.flatMap((option) =>
    [...(option._zod.propValues?.[by] ?? [])].map((value) => [value, shapeOf(option)] as const),
  );
  return { of: "choice", by, options: new Map(options) };
};
