import type { z } from "zod";
import { chosenShape, type Shape, shapeOf } from "./schema-shape.ts";
import { pathText } from "./validation.ts";

const maxWarnings = 100;

type Path = readonly PropertyKey[];

/**
 * Paths of all fields that the schema does not name, at every depth. Takes the schema's output, which still has them;
 * objects that accept foreign fields are skipped.
 */
export const unknownFields = (schema: z.ZodType, value: unknown, spelling: (path: Path) => Path): string[] => {
  const found: Path[] = [];
  look(shapeOf(schema), value, [], found);
  return found.slice(0, maxWarnings).map((path) => pathText(spelling(path)));
};

const look = (shape: Shape | undefined, value: unknown, path: PropertyKey[], found: Path[]): void => {
  if (shape === undefined || typeof value !== "object" || value === null || found.length >= maxWarnings) return;
  if (shape.of === "choice" || shape.of === "either") {
    look(chosenShape(shape, value), value, path, found);
  } else if (shape.of === "list") {
    if (Array.isArray(value)) lookAtItems(shape.item, value, path, found);
  } else if (shape.of === "object" && !Array.isArray(value)) {
    lookAtFields(shape, value, path, found);
  }
};

const lookAtItems = (item: Shape | undefined, list: readonly unknown[], path: PropertyKey[], found: Path[]) => {
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
