import { complianceHeaders, tokenHeaders } from "../../../shared/api/api.ts";
import type { Route } from "../../../shared/api/route.ts";
import { apiRights, type Right } from "../../../shared/rights/rights.ts";
import { errorResponses, refusals, statusesOf } from "./errors.ts";
import { filePaths } from "./files.ts";
import { answerOf, componentSchemas, type JsonSchema, ref, schemaOf } from "./schemas.ts";

type Json = { readonly [key: string]: unknown };

/** OpenAPI 3.1 of a route table, generated from the schemas that parse its requests and responses. */
export const openApiOf = (routes: Readonly<Record<string, Route>>, version: string): Json => ({
  openapi: "3.1.1",
  info: {
    title: "Mediafarm",
    version,
    summary: "Jobs for a media-processing farm",
    description:
      "Arguments may travel in the query string or in the body, with every method; the body wins. " +
      "In a query, write an array as a[]=, a[0]=, a repeated name or JSON text, with at most 250 elements.  " +
      "Numbers and booleans of a job may be written as strings. Fields that are not known are kept.",
  },
  servers: [{ url: "/" }],
  paths: pathsOf(routes),
  components: {
    schemas: componentSchemas(),
    parameters: { Compliance: complianceParameter },
    headers,
    responses: errorResponses(),
    securitySchemes: {
      account: { type: "http", scheme: "basic", description: "The account's OAPI key and secret" },
      token: { type: "apiKey", in: "header", name: "X-Service-Sapiauth", description: tokenWords },
    },
  },
});

const tokenWords = `A token of POST /login. Also read as ${tokenHeaders[1]}`;

const complianceParameter: Json = {
  name: "X-Service-Compliance",
  in: "header",
  required: true,
  description: `The date, YYYYMMDD, up to which the client knows the API. Also read as ${complianceHeaders[1]}`,
  schema: { type: "string", pattern: "^[0-9]{8}$", examples: ["20261101"] },
};

const headers: Json = {
  RequestId: {
    description: "Names the request in the coordinator's log: the caller's own X-Request-Id, or one of the farm's",
    schema: { type: "string" },
  },
  RetryAfter: { description: "Try again after so many seconds", schema: { type: "integer" } },
  RateLimitPolicy: {
    description: "How much the caller may have under way at a time, as a structured field: q is the quota",
    schema: { type: "string", examples: ['"caller";q=512;qu="concurrent-requests"'] },
  },
  RateLimit: {
    description: "How much of that is left: r. What goes beyond waits its turn and is not refused",
    schema: { type: "string", examples: ['"caller";r=511'] },
  },
};

const answerHeaders: Json = {
  "X-Request-Id": { $ref: "#/components/headers/RequestId" },
  "RateLimit-Policy": { $ref: "#/components/headers/RateLimitPolicy" },
  RateLimit: { $ref: "#/components/headers/RateLimit" },
};

const pathsOf = (routes: Readonly<Record<string, Route>>): Json => {
  const paths: Record<string, Record<string, Json>> = { "/v1/events": { get: eventsOperation }, ...filePaths };
  for (const [name, route] of Object.entries(routes)) {
    const path = (route.access === "open" ? "" : "/v1") + route.path;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(name, route) };
  }
  return paths;
};

const security: Readonly<Record<Route["access"], readonly Json[]>> = {
  open: [],
  oapi: [{ account: [] }],
  api: [{ account: [], token: [] }],
  farm: [{ account: [], token: [] }],
  person: [],
};

const operationOf = (name: string, route: Route): Json => {
  const { access, method, path, summary, input, returns } = route;
  const asked = schemaOf(input, "input");
  const hasBody = method !== "GET" && Object.keys(propertiesOf(asked)).length > 0;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, inPath]) => ({
      name: inPath,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
    ...(access === "api" || access === "oapi" ? [{ $ref: "#/components/parameters/Compliance" }] : []),
    ...headerParameters(route),
    ...(method === "GET" ? queryParameters(asked) : []),
  ];
  return {
    operationId: name,
    summary,
    tags: [path.split("/")[1]],
    security: security[access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody
      ? { requestBody: { required: true, content: { "application/json": { schema: bodyOf(name, asked) } } } }
      : {}),
    responses: {
      "200": {
        description: "Done",
        ...(access !== "open" && { headers: answerHeaders }),
        content: { "application/json": { schema: answerOf(returns) } },
      },
      ...refusals(statusesOf(route, rightOf(name), hasBody), route.saysSuccessAsText ? "TextError" : "Error"),
    },
  };
};

const propertiesOf = (schema: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  (schema.properties ?? {}) as Record<string, JsonSchema>; // the arguments of every route are an object

const rights: Readonly<Record<string, Right>> = apiRights;
const rightOf = (name: string): Pick<Right, "program"> => rights[name] ?? { program: "any" };

const bodyOf = (name: string, asked: JsonSchema): JsonSchema =>
  name === "createJob" ? { anyOf: [ref("NewJob"), ref("JobTemplate")] } : asked;

const headerParameters = ({ headers }: Route): Json[] =>
  Object.entries(propertiesOf(schemaOf(headers, "input"))).map(([name, { description, ...schema }]) => ({
    name,
    in: "header",
    description,
    schema,
  }));

/** Lists of objects are sent as JSON text: OpenAPI cannot describe their other forms. */
const queryParameters = (asked: JsonSchema): Json[] => {
  const required = new Set((asked.required ?? []) as string[]); // JSON Schema's list of names
  return Object.entries(propertiesOf(asked)).map(([name, schema]) => {
    const isOfObjects = (schema.items as JsonSchema | undefined)?.type === "object";
    const shape = isOfObjects ? { content: { "application/json": { schema } } } : { schema };
    return { name, in: "query", required: required.has(name), ...shape };
  });
};

/** The only response that does not end. */
const eventsOperation: Json = {
  operationId: "events",
  summary: "What happens, as server-sent events",
  description: "Each event's data is a FarmEvent. Resumed by Last-Event-ID; a `reset` tells that some were missed.",
  tags: ["events"],
  security: security.farm,
  parameters: [{ name: "Last-Event-ID", in: "header", required: false, schema: { type: "string" } }],
  responses: {
    "200": { description: "A stream without end", content: { "text/event-stream": { schema: { type: "string" } } } },
    ...refusals([401, 403, 429]),
  },
};
