import type { z } from "zod";
import { pathText } from "./validation.ts";

const maxWarnings = 100;

type Path = readonly PropertyKey[];

/** What a schema knows of the fields below a value; undefined where there is nothing to know. */
type Known =
  | { readonly of: "object"; readonly fields: ReadonlyMap<string, Known | undefined>; readonly isOpen: boolean }
  | { readonly of: "list"; readonly item: Known | undefined }
  | { readonly of: "choice"; readonly by: string; readonly options: ReadonlyMap<unknown, Known | undefined> }
  | { readonly of: "either"; readonly options: readonly (Known | undefined)[] };

/**
 * Paths of all fields that the schema does not name, at every depth. Takes what the schema gave out, which has them still;
 * objects that are open for other hands are passed over.
 */
export const unknownFields = (schema: z.ZodType, value: unknown, spelling: (path: Path) => Path): string[] => {
  const found: Path[] = [];
  look(knownOf(schema), value, [], found);
  return found.slice(0, maxWarnings).map((path) => pathText(spelling(path)));
};

const look = (known: Known | undefined, value: unknown, path: PropertyKey[], found: Path[]): void => {
  if (known === undefined || typeof value !== "object" || value === null || found.length >= maxWarnings) return;
  if (known.of === "choice") {
    look(known.options.get(Reflect.get(value, known.by)), value, path, found);
  } else if (known.of === "either") {
    look(optionFor(known.options, value), value, path, found);
  } else if (known.of === "list") {
    if (Array.isArray(value)) lookAtItems(known.item, value, path, found);
  } else if (!Array.isArray(value)) {
    lookAtFields(known, value, path, found);
  }
};

const lookAtItems = (item: Known | undefined, list: readonly unknown[], path: PropertyKey[], found: Path[]) => {
  if (item === undefined) return;
  for (const [index, value] of list.entries()) {
    path.push(index);
    look(item, value, path, found);
    path.pop();
  }
};

const lookAtFields = (
  { fields, isOpen }: Extract<Known, { of: "object" }>,
  value: object,
  path: PropertyKey[],
  found: Path[],
) => {
  for (const [key, part] of Object.entries(value)) {
    const field = fields.get(key);
    if (!field && (isOpen || fields.has(key))) continue;
    path.push(key);
    if (field) look(field, part, path, found);
    else found.push([...path]);
    path.pop();
  }
};

const optionFor = (options: readonly (Known | undefined)[], value: object): Known | undefined =>
  options.find((known) => (known?.of === "list") === Array.isArray(value));

const cache = new WeakMap<z.core.$ZodType, { readonly known: Known | undefined }>();

/** Worked out once for each schema; none of them goes in a circle. */
const knownOf = (schema: z.core.$ZodType): Known | undefined => {
  const kept = cache.get(schema);
  if (kept) return kept.known;
  const known = readSchema(schema);
  cache.set(schema, { known });
  return known;
};

// zod's own description of a schema: its union of types is told apart by `type`.
const readSchema = (schema: z.core.$ZodType): Known | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object": {
      const fields = new Map(Object.entries(def.shape).map(([key, field]) => [key, knownOf(field)]));
      return { of: "object", fields, isOpen: fields.size === 0 || def.catchall?._zod.def.type === "any" };
    }
    case "array":
      return { of: "list", item: knownOf(def.element) };
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
      return knownOf(def.innerType);
    case "pipe":
      // A schema that is prepared for ends in the real one; one whose result is made into something else begins with it.
      return def.out._zod.def.type === "transform" ? undefined : knownOf(def.out);
    case "union":
      return unionOf(schema as z.core.$ZodUnion); // told apart by `type`
    default:
      return undefined;
  }
};

const unionOf = ({ _zod: { def } }: z.core.$ZodUnion): Known => {
  const by = "discriminator" in def && typeof def.discriminator === "string" ? def.discriminator : undefined;
  if (by === undefined) return { of: "either", options: def.options.map(knownOf) };
  const options = def.options.flatMap((option) =>
    [...(option._zod.propValues?.[by] ?? [])].map((value) => [value, knownOf(option)] as const),
  );
  return { of: "choice", by, options: new Map(options) };
};
