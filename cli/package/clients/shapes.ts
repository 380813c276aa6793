/** JSON Schema, as far as the API's document uses it. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What a value looks like, for every language. */
export type Shape =
  | { readonly kind: "plain"; readonly is: "string" | "integer" | "number" | "boolean" | "null" | "any" }
  | { readonly kind: "literal"; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly kind: "named"; readonly name: string }
  | { readonly kind: "list"; readonly of: Shape }
  | { readonly kind: "map"; readonly of: Shape }
  | { readonly kind: "union"; readonly of: readonly Shape[] }
  | { readonly kind: "record"; readonly fields: readonly Field[]; readonly isOpen: boolean };

export type Field = {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
  readonly about: string | undefined;
};

/** What may stand in a path: ids are texts, positions numbers. */
export const inPathShape: Shape = {
  kind: "union",
  of: [
    { kind: "plain", is: "string" },
    { kind: "plain", is: "integer" },
  ],
};

const any: Shape = { kind: "plain", is: "any" };

/** Words of JSON Schema that bound a value, or explain it: no type holds them, and the farm checks them. */
const boundsAndWords: ReadonlySet<string> = new Set([
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "pattern"],
  ...["format", "minItems", "maxItems", "uniqueItems", "propertyNames", "minProperties", "maxProperties"],
  ...["title", "description", "default", "examples", "deprecated", "discriminator", "readOnly"],
]);
const shapeWords: ReadonlySet<string> = new Set([
  ...["$ref", "type", "const", "enum", "anyOf", "oneOf", "items", "properties", "required", "additionalProperties"],
]);

/** The shape that a schema describes. Throws for a word that it does not know: a client would say less than the document. */
export const shapeOf = (schema: JsonSchema): Shape => {
  const unknown = Object.keys(schema).filter((word) => !boundsAndWords.has(word) && !shapeWords.has(word));
  if (unknown.length > 0) throw new Error(`No client can be made of the words ${unknown.join(", ")}`);
  if (typeof schema.$ref === "string") return { kind: "named", name: schema.$ref.split("/").at(-1) ?? "" };
  if ("const" in schema) return { kind: "literal", values: [schema.const as string] }; // JSON Schema's own value
  if (Array.isArray(schema.enum)) return { kind: "literal", values: schema.enum };
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return unionOf(choices.map(shapeOf));
  if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => shapeOf({ ...schema, type })));
  return typedShape(schema);
};

const typedShape = (schema: JsonSchema): Shape => {
  switch (schema.type) {
    case "array":
      return { kind: "list", of: innerShape(schema.items) };
    case "object":
      return objectShape(schema);
    case "string":
    case "integer":
    case "number":
    case "boolean":
    case "null":
      return { kind: "plain", is: schema.type };
    default:
      return any;
  }
};

const innerShape = (schema: unknown): Shape =>
  typeof schema === "object" && schema !== null ? shapeOf(schema as JsonSchema) : any; // true, false or absent otherwise

const objectShape = (schema: JsonSchema): Shape => {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>); // JSON Schema's own form
  if (properties.length === 0 && schema.additionalProperties !== false)
    return { kind: "map", of: innerShape(schema.additionalProperties) };
  const required = new Set((schema.required ?? []) as readonly string[]); // the same
  const fields = properties.map(([name, property]) => ({
    ...{ name, shape: shapeOf(property), isRequired: required.has(name) },
    about: typeof property.description === "string" ? property.description : undefined,
  }));
  return { kind: "record", fields, isOpen: schema.additionalProperties !== false };
};

/** Without choices that are there twice, and flat. */
const unionOf = (shapes: readonly Shape[]): Shape => {
  const flat = shapes.flatMap((shape) => (shape.kind === "union" ? shape.of : [shape]));
  if (flat.some(({ kind, ...rest }) => kind === "plain" && "is" in rest && rest.is === "any")) return any;
  const distinct = [...new Map(flat.map((shape) => [JSON.stringify(shape), shape])).values()];
  const [first = any] = distinct;
  return distinct.length > 1 ? { kind: "union", of: distinct } : first;
};
