import type { z } from "zod";

/** A field of a schema, as the keys that lead to it; `[]` is an item of a list, `*` any key. */
export type Path = readonly string[];

/** Paths of all texts in a schema, by zod's own description of it. */
export function* textsIn(schema: z.core.$ZodType, path: Path = [], depth = 0): Generator<Path> {
  const { def } = (schema as z.core.$ZodTypes)._zod; // distinguished by `type`
  if (depth > 25) return;
  if (def.type === "string" || def.type === "unknown" || def.type === "any") yield path;
  for (const [part, inner] of partsOf(def)) yield* textsIn(inner, [...path, ...part], depth + 1);
}

const partsOf = (def: z.core.$ZodTypes["_zod"]["def"]): [Path, z.core.$ZodType][] => {
  if (def.type === "object") return Object.entries(def.shape).map(([key, field]) => [[key], field]);
  if (def.type === "union") return def.options.map((option) => [[], option]);
  if (def.type === "tuple") return def.items.map((item) => [["[]"], item]);
  if (def.type === "pipe")
    return [
      [[], def.in],
      [[], def.out],
    ];
  if (def.type === "array") return [[["[]"], def.element]];
  if (def.type === "record") return [[["*"], def.valueType]];
  if (def.type === "lazy") return [];
  return "innerType" in def ? [[[], def.innerType as z.core.$ZodType]] : [];
};
