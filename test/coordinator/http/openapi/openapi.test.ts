import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
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

  test("is one by the schemas of the OpenAPI Initiative", async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(made)));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    const broken = { ...JSON.parse(JSON.stringify(made)), paths: { "/x": { get: { responses: 7 } } } };
    expect((await new Validator().validate(broken)).valid).toBe(false);
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

  test("names what jobs, elements, results and events are", () => {
    const names = [
      "NewJob",
      "JobTemplate",
      "JobPayload",
      "Element",
      "CopyElement",
      "Job",
      "JobResult",
      "FarmEvent",
      "Node",
    ];
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names));
    const answerOf = (path: string) => document.paths[path]?.get?.responses["200"];
    expect(JSON.stringify(answerOf("/v1/jobs/{job_id}/result"))).toContain("#/components/schemas/JobResult");
    expect(JSON.stringify(answerOf("/v1/jobs/info"))).toContain("#/components/schemas/Job");
  });

  test("declares the refusals of every operation by their status", () => {
    for (const { operationId, responses, security } of operations) {
      const statuses = Object.keys(responses).filter((status) => status.startsWith("4"));
      if (security.length > 0) expect(statuses, operationId).toEqual(expect.arrayContaining(["401", "429"]));
    }
    expect(Object.keys(document.paths["/v1/jobs"]?.post?.responses ?? {})).toEqual(
      expect.arrayContaining(["200", "400", "401", "403", "409", "413", "415", "422", "429", "default"]),
    );
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

  // What holds every kind of element takes seconds to compile, and is compiled for the examples below anyway.
  const large = new Set(["NewJob", "JobPayload", "Element"]);
  const schemas = share(Object.entries(document.components.schemas), ([name]) => !large.has(name));

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

  test.each(readdirSync(examples).filter((name) => name.endsWith(".json")))("the example %s is a job by it", (file) => {
    const job = resolveDefinitions(JSON.parse(readFileSync(join(examples, file), "utf8")));
    expect(isJob(job), JSON.stringify(isJob.errors)).toBe(true);
  });

  test("a codec that there is not is refused with those that there are", () => {
    const isPayload = compile({ $ref: "#/components/schemas/TranscodePayload" });
    const withCodec = (codec: string) => ({ targets: [{ file_pattern: "a.mp4", video: { codec } }] });
    expect([isPayload(withCodec("h264")), isPayload.errors]).toEqual([true, null]);
    expect(isPayload(withCodec("h265x"))).toBe(false);
    const allowed = (isPayload.errors ?? []).flatMap(({ params }) => params.allowedValues ?? []);
    expect(allowed).toEqual(expect.arrayContaining(["copy", "h264", "h265", "prores"]));
  });

  test("a job with placeholders is one by it where it has definitions", () => {
    const element = { uid: "a", kind: "copy", payload: { target: "{{target}}" } };
    const job = { name: "x", payload: { elements: [element] } };
    expect([isJob(job), isJob({ ...job, definitions: { target: {} } })]).toEqual([false, true]);
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
