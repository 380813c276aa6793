import { z } from "zod";
import { elementKinds, elements } from "../../../media/elements/index.ts";
import { jobPayload } from "../../../media/jobs/job-payload.ts";
import { api } from "../../../shared/api/api.ts";
import { farmEvent } from "../../../shared/api/events.ts";
import { errorCodes } from "../../../shared/basics/errors.ts";
import { presetKind } from "../../../shared/model/preset.ts";
import { namedAnswers, nameOfAnswer } from "./named.ts";

/** JSON Schema 2020-12, which OpenAPI 3.1 speaks. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What a door reads (`input`) or answers (`output`) as JSON Schema; defaults stand beside the fields that have one. */
export const schemaOf = (schema: z.ZodType, io: "input" | "output"): JsonSchema => {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema, path }) => {
      const name = io === "output" && path.length > 0 ? nameOfAnswer(zodSchema) : undefined;
      if (name !== undefined) {
        for (const word of Object.keys(jsonSchema)) delete jsonSchema[word as keyof typeof jsonSchema]; // its own words
        Object.assign(jsonSchema, ref(name));
        return;
      }
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

/** An answer, or a part of one: by its name if it has one. */
export const answerOf = (schema: z.ZodType): JsonSchema => {
  const name = nameOfAnswer(schema);
  return name === undefined ? schemaOf(schema, "output") : ref(name);
};

/** The named schemas of the document. */
export const componentSchemas = (): Record<string, JsonSchema> => ({
  Error: errorSchema({ type: "boolean", const: false }),
  TextError: errorSchema({ type: "string", const: "false" }),
  FarmEvent: schemaOf(farmEvent, "output"),
  ...Object.fromEntries(Object.entries(namedAnswers).map(([name, schema]) => [name, schemaOf(schema, "output")])),
  ...jobSchemas(),
  ...Object.fromEntries(
    elements.map(({ kind, title, payload }) => [
      `${nameOfKind(kind)}Payload`,
      { title, ...schemaOf(payload, "input") },
    ]),
  ),
});

/** `source_provider` gives `SourceProvider`. */
const nameOfKind = (kind: string): string =>
  kind.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * A job without placeholders is described field by field, so that code made from this document knows the names of codecs and
 * kinds. One with definitions may have a placeholder wherever it has a value, and is only checked once they are filled in.
 */
const jobSchemas = (): Record<string, JsonSchema> => {
  const submission = schemaOf(api.createJob.input, "input");
  const properties = submission.properties as Record<string, JsonSchema>; // the body of a submission is an object
  const required = (submission.required ?? []) as readonly string[];
  const ofAnotherSchema = { type: "string", description: "A job of another schema, such as thirdparty" };
  return {
    NewJob: { ...submission, properties: { ...properties, payload: { anyOf: [ref("JobPayload"), ofAnotherSchema] } } },
    JobTemplate: {
      ...submission,
      description: "A job with {{placeholders}} or $inherits. Whoever only names presets gives empty definitions.",
      properties: { ...properties, payload: { anyOf: [{ type: "object" }, ofAnotherSchema] } },
      required: [...new Set([...required, "definitions"])],
    },
    JobPayload: jobPayloadSchema(),
    Element: {
      oneOf: elements.map(({ kind }) => ref(`${nameOfKind(kind)}Element`)),
      discriminator: {
        propertyName: "kind",
        mapping: Object.fromEntries(
          elements.map(({ kind }) => [kind, `#/components/schemas/${nameOfKind(kind)}Element`]),
        ),
      },
    },
    ...Object.fromEntries(elements.map(({ kind }) => [`${nameOfKind(kind)}Element`, elementSchema(kind)])),
  };
};

type PayloadSchema = { readonly properties: { readonly elements: { readonly items: JsonSchema } } };
const payloadSchema = (): JsonSchema & PayloadSchema => schemaOf(jobPayload, "input") as JsonSchema & PayloadSchema; // its own shape

const jobPayloadSchema = (): JsonSchema => {
  const made = payloadSchema();
  const { elements: list } = made.properties;
  return { ...made, properties: { ...made.properties, elements: { ...list, items: ref("Element") } } };
};

const elementSchema = (kind: string): JsonSchema => {
  const { items } = payloadSchema().properties.elements;
  const properties = {
    ...(items.properties as object),
    kind: { const: kind },
    payload: ref(`${nameOfKind(kind)}Payload`),
  };
  return { ...items, properties };
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
