import { z } from "zod";
import { type Field, type JsonSchema, type Shape, shapeOf } from "./shapes.ts";

/** One call of the API, for every language. */
export type Call = {
  readonly name: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** The names in its path, in their order. */
  readonly inPath: readonly string[];
  /** Its other arguments, in the query of a GET and in the body of all others. */
  readonly fields: readonly Field[];
  /** The body, where it is no list of fields. */
  readonly body: Shape | undefined;
  readonly headers: readonly Field[];
  readonly needs: "nothing" | "account" | "token";
  readonly answers: "json" | "events" | "bytes";
  readonly returns: Shape;
};

/** The API as data: its named shapes and its calls, in the order of the document. */
export type ClientModel = {
  readonly version: string;
  readonly shapes: readonly (readonly [name: string, shape: Shape, about: string | undefined])[];
  readonly calls: readonly Call[];
};

const schema = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.object({ schema }));
const parameter = z.object({
  name: z.string(),
  in: z.enum(["path", "query", "header"]),
  required: z.boolean().optional(),
  description: z.string().optional(),
  schema: schema.optional(),
  content: content.optional(),
});
const operation = z.object({
  operationId: z.string(),
  summary: z.string(),
  security: z.array(z.record(z.string(), z.unknown())),
  parameters: z.array(z.union([z.object({ $ref: z.string() }), parameter])).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
});
type Operation = z.output<typeof operation>;

const methods = ["get", "post", "put", "delete"] as const;
const document = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.partialRecord(z.enum(methods), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});

/** What clients are made from. Throws where the document is not as this farm makes it. */
export const readDocument = (given: unknown): ClientModel => {
  const { info, paths, components } = document.parse(given);
  return {
    version: info.version,
    shapes: Object.entries(components.schemas).map(([name, each]) => [
      ...([name, shapeOf(each)] as const),
      typeof each.description === "string" ? each.description : undefined,
    ]),
    calls: Object.entries(paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const found = item[method];
        return found === undefined ? [] : [callOf(method, path, found)];
      }),
    ),
  };
};

const callOf = (method: string, path: string, { operationId, summary, ...rest }: Operation): Call => {
  const own = rest.parameters.flatMap((each) => ("$ref" in each ? [] : [each]));
  const [answer = "", returned] = Object.entries(rest.responses["200"]?.content ?? {})[0] ?? [];
  const asked = rest.requestBody?.content["application/json"]?.schema;
  const body = asked === undefined ? undefined : shapeOf(asked);
  const inQuery = own.filter((each) => each.in === "query").map(fieldOf);
  return {
    ...{ name: operationId, method: method.toUpperCase(), path, summary },
    inPath: own.filter((each) => each.in === "path").map(({ name }) => name),
    fields: body?.kind === "record" ? body.fields : inQuery,
    body: body?.kind === "record" ? undefined : body,
    headers: own.filter((each) => each.in === "header").map(fieldOf),
    needs: needsOf(rest.security),
    answers: answersBy[answer] ?? "json",
    returns: shapeOf(returned?.schema ?? {}),
  };
};

const answersBy: Readonly<Record<string, Call["answers"]>> = {
  "text/event-stream": "events",
  "application/octet-stream": "bytes",
};

const fieldOf = ({ name, required, description, schema, content }: z.output<typeof parameter>): Field => {
  const found: JsonSchema = schema ?? content?.["application/json"]?.schema ?? {};
  return {
    ...{ name, shape: shapeOf(found), isRequired: required === true },
    about: description ?? (typeof found.description === "string" ? found.description : undefined),
  };
};

const needsOf = (security: Operation["security"]): Call["needs"] => {
  const names = security.flatMap((each) => Object.keys(each));
  if (names.includes("token")) return "token";
  return names.includes("account") ? "account" : "nothing";
};
