import { z } from "zod";

/**
 * The shape of an OpenAPI 3.1 document as its specification gives it, as far as ours goes: objects are strict, so that a
 * word which OpenAPI does not have is a mistake. Schemas are JSON Schema's own matter.
 */
const schema = z.record(z.string(), z.unknown());
const reference = z.strictObject({ $ref: z.string().startsWith("#/components/") });
const content = z.record(z.string().regex(/^\w+\/[\w.+-]+$/), z.strictObject({ schema }));

const parameter = z
  .strictObject({
    name: z.string().min(1),
    in: z.enum(["query", "header", "path", "cookie"]),
    description: z.string().optional(),
    required: z.boolean().optional(),
    schema: schema.optional(),
    content: content.optional(),
  })
  .refine((each) => (each.schema === undefined) !== (each.content === undefined), "has schema or content, not both")
  .refine(({ content: all }) => all === undefined || Object.keys(all).length === 1, "has one content")
  .refine((each) => each.in !== "path" || each.required === true, "is required in a path");

const header = z.strictObject({ description: z.string().optional(), schema });
const response = z.strictObject({
  description: z.string().min(1),
  headers: z
    .record(z.string(), z.union([z.strictObject({ $ref: z.string().startsWith("#/components/headers/") }), header]))
    .optional(),
  content: content.optional(),
});

const operation = z.strictObject({
  operationId: z.string().regex(/^\w+$/),
  summary: z.string().min(1),
  description: z.string().optional(),
  tags: z.array(z.string()),
  security: z.array(z.record(z.string(), z.array(z.string()).length(0))),
  parameters: z.array(z.union([reference, parameter])).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^([1-5]\d\d|default)$/), z.union([reference, response])),
});

const pathItem = z.strictObject({
  get: operation.optional(),
  put: operation.optional(),
  post: operation.optional(),
  delete: operation.optional(),
});

const name = z.string().regex(/^[\w.-]+$/);
export const openApiDocument = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    summary: z.string().optional(),
    description: z.string().optional(),
  }),
  servers: z.array(z.strictObject({ url: z.string() })),
  paths: z.record(z.string().startsWith("/"), pathItem),
  components: z.strictObject({
    schemas: z.record(name, schema),
    parameters: z.record(name, parameter),
    headers: z.record(name, header),
    responses: z.record(name, response),
    securitySchemes: z.record(
      name,
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("http"), scheme: z.string(), description: z.string().optional() }),
        z.strictObject({
          type: z.literal("apiKey"),
          in: z.enum(["query", "header", "cookie"]),
          name: z.string(),
          description: z.string().optional(),
        }),
      ]),
    ),
  }),
});
export type OpenApiDocument = z.output<typeof openApiDocument>;

export type Operation = z.output<typeof operation> & { readonly method: string; readonly path: string };

export const operationsOf = ({ paths }: OpenApiDocument): Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, each]) => ({ ...each, method: method.toUpperCase(), path })),
  );

/** Every `$ref` of the document, wherever it stands. */
export const refsOf = (value: unknown): string[] => {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, part]) => (key === "$ref" ? [String(part)] : refsOf(part)));
};

/** What a reference names; undefined where there is nothing. */
export const lookUp = (document: unknown, ref: string): unknown =>
  ref
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((at, part) => (Object(at) as Record<string, unknown>)[part], document); // nothing has no parts
