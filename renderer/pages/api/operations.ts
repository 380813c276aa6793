import { t } from "@lingui/core/macro";
import { z } from "zod";
import { oneOf } from "../../ui/text/format.ts";

/** The parts of our OpenAPI document that the page shows; other fields are ignored. */
type Schema = { readonly [key: string]: unknown };
const schema: z.ZodType<Schema> = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.object({ schema }));
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  schema: schema.optional(),
  content: content.optional(),
});
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(z.union([z.object({ $ref: z.string() }), parameter])).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
});
export const apiDocument = z.object({
  info: z.object({ version: z.string(), description: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});
export type ApiDocument = z.output<typeof apiDocument>;

/** One argument in words. */
export type Argument = {
  readonly name: string;
  readonly place: string;
  readonly type: string;
  readonly rules: string;
};

export type ApiCall = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly args: readonly Argument[];
  readonly answers: readonly Argument[];
};

export const listCalls = ({ paths, components }: ApiDocument): ApiCall[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({
      id: each.operationId,
      method: method.toUpperCase(),
      path,
      summary: each.summary,
      tag: each.tags[0] ?? "",
      args: [
        ...each.parameters.flatMap((own) => ("$ref" in own ? [] : [argumentOf(own)])),
        ...fieldsOf(resolved(components, schemaIn(each.requestBody?.content)), t`body`),
      ],
      answers: fieldsOf(resolved(components, schemaIn(each.responses["200"]?.content)), t`answer`),
    })),
  );

/** The payloads of elements, by the names of their schemas. */
export const listPayloads = ({ components }: ApiDocument): { readonly name: string; readonly fields: Argument[] }[] =>
  Object.entries(components.schemas)
    .filter(([name]) => name.endsWith("Payload") && name !== "JobPayload")
    .map(([name, each]) => ({ name, fields: fieldsOf(each, t`payload`) }));

const argumentOf = (own: z.output<typeof parameter>): Argument => {
  const said = own.schema ?? schemaIn(own.content) ?? {};
  return {
    name: own.name,
    place: placeWords[own.in] ?? own.in,
    type: typeOf(said),
    rules: [own.description, rulesOf(said, own.required ?? false)].filter(Boolean).join("; "),
  };
};

const placeWords: Readonly<Record<string, string>> = { path: t`path`, query: t`query`, header: t`header` };

const schemaIn = (from: z.output<typeof content> | undefined): Schema | undefined =>
  Object.values(from ?? {})[0]?.schema;

/** What a name stands for; of several forms the first one, which says most. */
const resolved = (components: ApiDocument["components"], said: Schema | undefined): Schema | undefined => {
  const first = said && Array.isArray(said.anyOf) && !said.properties ? asObject(said.anyOf[0]) : said;
  if (typeof first?.$ref !== "string") return first;
  return resolved(components, components.schemas[first.$ref.split("/").at(-1) ?? ""]);
};

const fieldsOf = (from: Schema | undefined, place: string): Argument[] => {
  const required = new Set(Array.isArray(from?.required) ? from.required : []);
  return Object.entries(asObject(from?.properties)).map(([name, each]) => {
    const said = asObject(each);
    return { name, place, type: typeOf(said), rules: rulesOf(said, required.has(name)) };
  });
};

const asObject = (value: unknown): Schema => (value !== null && typeof value === "object" ? (value as Schema) : {}); // just looked at

const typeOf = (said: Schema): string => {
  if (typeof said.$ref === "string") return said.$ref.split("/").at(-1) ?? "";
  if (Array.isArray(said.type)) return oneOf(said.type);
  if (said.type === "array") return listOf(typeOf(asObject(said.items)) || t`anything`);
  if (typeof said.type === "string") return said.type;
  if (Array.isArray(said.anyOf)) return oneOf([...new Set(said.anyOf.map((each) => typeOf(asObject(each))))]);
  return "";
};

const listOf = (what: string): string => t`list of ${what}`;

const rulesOf = (said: Schema, isRequired: boolean): string => {
  const choices = said.enum ?? asObject(said.items).enum;
  return [
    isRequired ? t`required` : "",
    Array.isArray(choices) ? choices.join(", ") : "",
    boundsOf(said),
    said.default === undefined ? "" : t`default ${JSON.stringify(said.default)}`,
  ]
    .filter(Boolean)
    .join("; ");
};

const boundsOf = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string =>
  [
    range(minimum, maximum, String),
    range(minLength, maxLength, (bound) => t`${bound} characters`),
    range(minItems, maxItems, (bound) => t`${bound} entries`),
  ]
    .filter(Boolean)
    .join("; ");

const range = (from: unknown, to: unknown, amount: (bound: string) => string): string => {
  if (from === undefined && to === undefined) return "";
  if (to === undefined) return t`${amount(String(from))} at least`;
  return from === undefined ? t`${amount(String(to))} at most` : t`${String(from)} to ${amount(String(to))}`;
};
