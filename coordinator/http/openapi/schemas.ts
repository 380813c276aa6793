import { z } from "zod";
import { elementKinds, elements } from "../../../media/elements/index.ts";
import { jobPayload } from "../../../media/jobs/job-payload.ts";
import { farmEvent } from "../../../shared/api/events.ts";
import { errorCodes } from "../../../shared/basics/errors.ts";
import { presetKind } from "../../../shared/model/preset.ts";

/** JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What a door reads (`input`) or answers (`output`) as JSON Schema; defaults stand beside the fields that have one. */
export const schemaOf = (schema: z.ZodType, io: "input" | "output"): JsonSchema => {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.def.defaultValue;
      // The schema that programs share does not know the kinds.
      if (zodSchema === presetKind) jsonSchema.enum = [...elementKinds];
      // These bounds are the language's, not ours: they say nothing to a reader, and JSON has no infinity.
      if ((jsonSchema.maximum ?? 0) >= Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if ((jsonSchema.minimum ?? 0) <= Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return made;
};

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** The named schemas of the document. */
export const componentSchemas = (): Record<string, JsonSchema> => ({
  Error: errorSchema({ type: "boolean", const: false }),
  TextError: errorSchema({ type: "string", const: "false" }),
  FarmEvent: schemaOf(farmEvent, "output"),
  JobPayload: jobPayloadSchema(),
  ...Object.fromEntries(
    elements.map(({ kind, title, payload }) => [
      payloadName(kind),
      { title, ...withPlaceholders(schemaOf(payload, "input")) },
    ]),
  ),
  Placeholder: {
    description: "Of a definition or preset: its value is filled in before the job is checked",
    anyOf: [
      { type: "string", pattern: "\\{\\{[A-Za-z0-9_.-]+\\}\\}" },
      { type: "object", required: ["$inherits"] },
    ],
  },
});

/** Wherever a job may have a value it may have a placeholder; plain texts take one as they are. */
const withPlaceholders = (schema: JsonSchema): JsonSchema => {
  const { properties, items } = schema as { properties?: Record<string, JsonSchema>; items?: JsonSchema };
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, orPlaceholder(each)])),
    }),
    ...(items && { items: orPlaceholder(items) }),
  };
};

const orPlaceholder = (schema: JsonSchema): JsonSchema => {
  const { description, ...rest } = withPlaceholders(schema);
  if (rest.type === "string" && rest.pattern === undefined && rest.enum === undefined) return schema;
  return { ...(description !== undefined && { description }), anyOf: [rest, ref("Placeholder")] };
};

/** `source_provider` gives `SourceProviderPayload`. */
const payloadName = (kind: string): string =>
  `${kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Payload`;

/** An element's payload depends on its kind. */
const jobPayloadSchema = (): JsonSchema => {
  const made = schemaOf(jobPayload, "input") as { properties: { elements: { items: JsonSchema } } }; // its own shape
  const byKind = elements.map(({ kind }) => ({
    if: { properties: { kind: { const: kind } }, required: ["kind"] },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's word
    then: { properties: { payload: ref(payloadName(kind)) } },
  }));
  const { elements: list } = made.properties;
  const properties = { ...made.properties, elements: { ...list, items: { ...list.items, allOf: byKind } } };
  return { description: "As it is once presets and definitions are filled in", ...made, properties };
};

const errorSchema = (success: JsonSchema): JsonSchema => ({
  type: "object",
  required: ["success", "error", "message", "details"],
  properties: {
    success,
    error: { type: "string", enum: Object.keys(errorCodes) },
    message: { type: "string", description: "For people: what and which" },
    details: {
      type: "array",
      maxItems: 100,
      items: {
        type: "object",
        required: ["path", "message"],
        properties: { path: { type: "string" }, message: { type: "string" } },
      },
    },
  },
});
