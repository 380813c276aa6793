import type { z } from "zod";
import { distanceUpTo } from "../../shared/basics/nearest-name.ts";
import { pathText } from "../../shared/basics/validation.ts";
import { chosenShape, readSchemaShape, type Shape } from "../expressions/schema-shape.ts";

const maxWarnings = 100;

type Path = readonly PropertyKey[];
type Found = { readonly path: Path; readonly meant: string | undefined };

/** A field that the schema does not name, and the one that was probably meant. */
export type UnknownField = { readonly path: string; readonly meant: string | undefined };

/**
 * All fields that the schema does not name, at every depth. Takes the schema's output, which still has them;
 * objects that accept foreign fields are skipped.
 */
export const unknownFields = (schema: z.ZodType, value: unknown, spelling: (path: Path) => Path): UnknownField[] => {
  const found: Found[] = [];
  look(readSchemaShape(schema), value, [], found);
  return found.slice(0, maxWarnings).map(({ path, meant }) => ({ path: pathText(spelling(path)), meant }));
};

type Fields = Extract<Shape, { of: "object" }>["fields"];

/** A slip of the keyboard, a name without its unit, or a field that belongs into an object beside it. */
const meantBy = (word: string, fields: Fields): string | undefined =>
  slipOf(word, fields.keys()) ?? onlyOne(withUnit(word, fields.keys())) ?? onlyOne(placesBelow(word, fields));

/** One letter, or two of a long name. */
const slipOf = (word: string, names: Iterable<string>): string | undefined => {
  const most = word.length < 6 ? 1 : 2;
  const near = [...names].flatMap((name) => {
    const away = distanceUpTo(most, word, name);
    return away === undefined ? [] : [{ name, away }];
  });
  return near.sort((a, b) => a.away - b.away)[0]?.name;
};

/** `bitrate` for `bitrate_kb`. */
const withUnit = (word: string, names: Iterable<string>): string[] =>
  [...names].filter((name) => name.startsWith(`${word}_`) && units.has(name.slice(word.length + 1)));

/** In which fields are measured, as their names end. */
const units: ReadonlySet<string> = new Set(["db", "kb", "ms", "percent", "sec"]);

/** `tags` for `task.tags`. */
const placesBelow = (word: string, fields: Fields): string[] =>
  [...fields].flatMap(([name, shape]) => (shape?.of === "object" && shape.fields.has(word) ? [`${name}.${word}`] : []));

const onlyOne = (names: readonly string[]): string | undefined => (names.length === 1 ? names[0] : undefined);

const look = (shape: Shape | undefined, value: unknown, path: PropertyKey[], found: Found[]): void => {
  if (shape === undefined || typeof value !== "object" || value === null || found.length >= maxWarnings) return;
  if (shape.of === "choice" || shape.of === "either") {
    look(chosenShape(shape, value), value, path, found);
  } else if (shape.of === "list") {
    if (Array.isArray(value)) lookAtItems(shape.item, value, path, found);
  } else if (shape.of === "object" && !Array.isArray(value)) {
    lookAtFields(shape, value, path, found);
  }
};

const lookAtItems = (item: Shape | undefined, list: readonly unknown[], path: PropertyKey[], found: Found[]) => {
  if (item === undefined) return;
  for (const [index, value] of list.entries()) {
    path.push(index);
    look(item, value, path, found);
    path.pop();
  }
};

const lookAtFields = (
  { fields, isOpen }: Extract<Shape, { of: "object" }>,
  value: object,
  path: PropertyKey[],
  found: Found[],
) => {
  for (const [key, part] of Object.entries(value)) {
    if (found.length >= maxWarnings) return;
    const field = fields.get(key);
    if (!field && (isOpen || fields.has(key))) continue;
    path.push(key);
    if (field) look(field, part, path, found);
    else found.push({ path: [...path], meant: meantBy(key, fields) });
    path.pop();
  }
};
