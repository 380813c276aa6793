/** The parts of a JSON schema that completion uses. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
};
type Document = { readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> } };

/** The schemas that may apply at a path of a job; several if the text does not decide yet. */
export const schemasAt = (
  document: Document,
  root: Schema,
  path: readonly (string | number)[],
  value: unknown,
): Schema[] => {
  let [open, here] = [spread(document, root, value), value];
  for (const part of path) {
    const next = childValue(here, part);
    open = open.flatMap((schema) => {
      const child = typeof part === "number" ? schema.items : schema.properties?.[part];
      return child ? spread(document, child, next) : [];
    });
    here = next;
  }
  return open;
};

const childValue = (value: unknown, part: string | number): unknown => {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Readonly<Record<string | number, unknown>>)[part]; // any JSON
};

/** Follows references and expands choices, except those that the value's own kind rules out. */
const spread = (document: Document, schema: Schema, value: unknown, depth = 0): Schema[] => {
  if (depth > 12) return [];
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf("/") + 1);
  const target = name === undefined ? undefined : document.components?.schemas?.[name];
  if (target) return spread(document, target, value, depth + 1);
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  if (parts.length === 0) return [schema];
  const all = parts.flatMap((part) => spread(document, part, value, depth + 1));
  const fitting = all.filter((part) => !isRuledOut(part, value));
  return [...(schema.properties ? [schema] : []), ...fitting];
};

const isRuledOut = ({ properties }: Schema, value: unknown): boolean =>
  Object.entries(properties ?? {}).some(([key, { const: wanted }]) => {
    const given = childValue(value, key);
    return wanted !== undefined && given !== undefined && given !== wanted;
  });

/** The field names of these schemas, with their descriptions. */
export const namesIn = (schemas: readonly Schema[]): Map<string, string> =>
  new Map(
    schemas.flatMap(({ properties = {} }) =>
      Object.entries(properties).map(
        ([name, { description = "", type = "" }]) => [name, description || String(type)] as const,
      ),
    ),
  );

/** Values that these schemas allow by name. */
export const valuesIn = (schemas: readonly Schema[]): unknown[] => [
  ...new Set(
    schemas.flatMap((schema) => [
      ...(schema.enum ?? []),
      ...(schema.const === undefined ? [] : [schema.const]),
      ...(schema.type === "boolean" ? [true, false] : []),
    ]),
  ),
];

/** The body of `POST /jobs`. */
export const jobSchema = (document: object): Schema => {
  const { paths } = document as { readonly paths?: Readonly<Record<string, unknown>> }; // our own OpenAPI document
  const post = paths?.["/jobs"] as { readonly post?: { readonly requestBody?: unknown } } | undefined;
  const body = post?.post?.requestBody as
    | { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
    | undefined;
  return Object.values(body?.content ?? {})[0]?.schema ?? {};
};
