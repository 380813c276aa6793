import { z } from "zod";

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

export const callsOf = ({ paths }: ApiDocument): ApiCall[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({
      id: each.operationId,
      method: method.toUpperCase(),
      path,
      summary: each.summary,
      tag: each.tags[0] ?? "",
      args: [
        ...each.parameters.flatMap((own) => ("$ref" in own ? [] : [argumentOf(own)])),
        ...fieldsOf(schemaIn(each.requestBody?.content), "body"),
      ],
      answers: fieldsOf(schemaIn(each.responses["200"]?.content), "answer"),
    })),
  );

/** The payloads of elements, by the names of their schemas. */
export const payloadsOf = ({ components }: ApiDocument): { readonly name: string; readonly fields: Argument[] }[] =>
  Object.entries(components.schemas)
    .filter(([name]) => name.endsWith("Payload") && name !== "JobPayload")
    .map(([name, each]) => ({ name, fields: fieldsOf(each, "payload") }));

const argumentOf = (own: z.output<typeof parameter>): Argument => {
  const said = own.schema ?? schemaIn(own.content) ?? {};
  return {
    name: own.name,
    place: own.in,
    type: typeOf(said),
    rules: [own.description, rulesOf(said, own.required ?? false)].filter(Boolean).join("; "),
  };
};

const schemaIn = (from: z.output<typeof content> | undefined): Schema | undefined =>
  Object.values(from ?? {})[0]?.schema;

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
  if (Array.isArray(said.type)) return said.type.join(" or ");
  if (said.type === "array") return `list of ${typeOf(asObject(said.items)) || "anything"}`;
  if (typeof said.type === "string") return said.type;
  if (Array.isArray(said.anyOf)) return [...new Set(said.anyOf.map((each) => typeOf(asObject(each))))].join(" or ");
  return "";
};

const rulesOf = (said: Schema, isRequired: boolean): string => {
  const choices = said.enum ?? asObject(said.items).enum;
  return [
    isRequired ? "required" : "",
    Array.isArray(choices) ? choices.join(", ") : "",
    boundsOf(said),
    said.default === undefined ? "" : `default ${JSON.stringify(said.default)}`,
  ]
    .filter(Boolean)
    .join("; ");
};

const boundsOf = ({ minimum, maximum, minLength, maxLength, minItems, maxItems }: Schema): string => {
  const range = (from: unknown, to: unknown, what: string): string => {
    if (from === undefined && to === undefined) return "";
    if (to === undefined) return `${from}${what} at least`;
    return from === undefined ? `${to}${what} at most` : `${from} to ${to}${what}`;
  };
  return [
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " entries"),
  ]
    .filter(Boolean)
    .join("; ");
};
