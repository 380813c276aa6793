import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { openApiOf } from "../../../../coordinator/http/openapi/openapi.ts";
import { elements } from "../../../../media/elements/index.ts";
import { api } from "../../../../shared/api/api.ts";
import { resolveDefinitions } from "../../../../shared/model/definitions.ts";
import { lookUp, openApiDocument, operationsOf, refsOf } from "../../../helpers/farm/openapi-rules.ts";
import { share } from "../../../helpers/long.ts";

const made = openApiOf(api, "1.2.3");
const document = openApiDocument.parse(made);
const operations = operationsOf(document);

describe("the OpenAPI document", () => {
  test("holds nothing that OpenAPI 3.1 has no word for", () => {
    expect(openApiDocument.safeParse(made).error).toBeUndefined();
  });

  test("has every route of the table once, the stream of events and the bytes of files", () => {
    const wanted = Object.entries(api).map(([name, { method, path, access, summary }]) => {
      const base = access === "open" ? "" : "/v1";
      return `${name}: ${method} ${base}${path}: ${summary}`;
    });
    const found = operations.map(
      ({ operationId, method, path, summary }) => `${operationId}: ${method} ${path}: ${summary}`,
    );
    const others = [
      "events: GET /v1/events: What happens, as server-sent events",
      "readOutput: GET /v1/tasks/{task_id}/outputs/{position}: The bytes of an output file, or a range of them",
      "readLinkedOutput: GET /v1/media/{token}/{name}: The same by a signed address, without credentials, until it expires",
    ];
    expect(found.sort()).toEqual([...wanted, ...others].sort());
  });

  test("has references that all lead to something", () => {
    const refs = refsOf(document);
    expect(refs.length).toBeGreaterThan(20);
    expect(refs.filter((ref) => lookUp(document, ref) === undefined)).toEqual([]);
  });

  test("names exactly what stands in each path, and no argument twice", () => {
    for (const { path, parameters = [], operationId } of operations) {
      const own = parameters.flatMap((each) => ("$ref" in each ? [] : [each]));
      const inPath = own.filter((each) => each.in === "path").map(({ name }) => name);
      expect(inPath, operationId).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      const names = own.map((each) => `${each.in} ${each.name}`);
      expect(new Set(names).size, operationId).toBe(names.length);
    }
  });

  test("asks for the layers that each route asks for", () => {
    const layers = Object.fromEntries(
      operations.map(({ operationId, security, parameters = [] }) => [
        operationId,
        [
          ...security.flatMap((each) => Object.keys(each)),
          ...parameters.flatMap((each) => ("$ref" in each ? ["date"] : [])),
        ].join(" "),
      ]),
    );
    expect(layers).toMatchObject({
      health: "",
      login: "account date",
      createJob: "account token date",
      listNodes: "account token",
      events: "account token",
    });
  });

  test("uses only security that it declares", () => {
    const used = operations.flatMap(({ security }) => security.flatMap((each) => Object.keys(each)));
    expect([...new Set(used)].sort()).toEqual(Object.keys(document.components.securitySchemes).sort());
  });

  test("has a payload schema for every kind of element", () => {
    const names = Object.keys(document.components.schemas).filter((name) => name.endsWith("Payload"));
    expect(names).toHaveLength(elements.length + 1); // and the job's own
  });
});

describe("its schemas are JSON Schema 2020-12", () => {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false });
  ajv.addSchema({ $id: "doc", components: document.components }, "doc");
  const compile = (schema: object) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')));

  // A job's payload takes seconds to compile, and is compiled for the examples below anyway.
  const schemas = share(Object.entries(document.components.schemas), ([name]) => name !== "JobPayload");

  test.each(schemas)("%s", (_, schema) => {
    expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
    expect(() => compile(schema)).not.toThrow();
  });

  test.each(operations.map((each) => [each.operationId, each] as const))("those of %s", (_, operation) => {
    const schemas = [
      ...(operation.parameters ?? []).flatMap((each) =>
        "$ref" in each ? [] : [each.schema ?? contentOf(each.content)],
      ),
      ...(operation.requestBody ? [contentOf(operation.requestBody.content)] : []),
      ...Object.values(operation.responses).flatMap((each) => {
        // Not modified, and no such range: there is nothing to send.
        const isEmpty = "$ref" in each || each.content === undefined;
        return isEmpty ? [] : [contentOf(each.content)];
      }),
    ];
    for (const schema of schemas) {
      expect(ajv.validateSchema(schema), JSON.stringify(ajv.errors)).toBe(true);
      expect(() => compile(schema)).not.toThrow();
    }
  });

  const examples = join(import.meta.dirname, "../../../../docs/examples");
  const isJob = compile(contentOf(document.paths["/v1/jobs"]?.post?.requestBody?.content));

  test.each(readdirSync(examples))("the example %s is a job by it", (file) => {
    const job = resolveDefinitions(JSON.parse(readFileSync(join(examples, file), "utf8")));
    expect(isJob(job), JSON.stringify(isJob.errors)).toBe(true);
  });

  test.each([
    ["without elements", { name: "x", payload: { elements: [] } }],
    ["with a kind that is not known", { name: "x", payload: { elements: [{ uid: "a", kind: "magic" }] } }],
    [
      "with a payload that its kind does not have",
      { name: "x", payload: { elements: [{ uid: "a", kind: "copy", payload: { target: 7 } }] } },
    ],
    ["with a priority of 255", { name: "x", payload: "", priority: 255 }],
  ])("a job %s is none by it", (_, job) => {
    expect(isJob(job)).toBe(false);
  });
});

function contentOf(content: Record<string, { schema: Record<string, unknown> }> | undefined): Record<string, unknown> {
  const [first] = Object.values(content ?? {});
  if (!first) throw new Error("there is no content");
  return first.schema;
}
