import { expect, test } from "vitest";
import { openApiOf } from "../../../../coordinator/http/openapi/openapi.ts";
import { elements } from "../../../../media/elements/index.ts";
import { apiDocument, listCalls, listPayloads } from "../../../../renderer/pages/api/operations.ts";
import { api } from "../../../../shared/api/api.ts";

const document = apiDocument.parse(openApiOf(api, "1.2.3"));
const calls = listCalls(document);

test("every call of the document is shown", () => {
  expect(calls.map(({ id }) => id).sort()).toEqual(
    [...Object.keys(api), "events", "readOutput", "readLinkedOutput"].sort(),
  );
});

test("a call's arguments are told by place, type and bounds", () => {
  const list = calls.find(({ id }) => id === "listJobs");
  expect(list?.args.slice(-3)).toEqual([
    { name: "sort_field", place: "query", type: "string", rules: expect.stringContaining("id, name, user_tag") },
    { name: "skip", place: "query", type: "integer", rules: "0 at least; default 0" },
    { name: "take", place: "query", type: "integer", rules: "0 at least; default 100" },
  ]);
  const create = calls.find(({ id }) => id === "createJob");
  expect(create?.args.filter(({ name }) => ["idempotency-key", "name", "payload", "priority"].includes(name))).toEqual([
    { name: "idempotency-key", place: "header", type: "string", rules: expect.stringContaining("within 24 hours") },
    { name: "name", place: "body", type: "string", rules: "required; 1 to 2000 characters" },
    { name: "payload", place: "body", type: "JobPayload or string", rules: "required" },
    { name: "priority", place: "body", type: "integer", rules: "1 to 254; default 100" },
  ]);
  expect(create?.answers[0]).toEqual({ name: "id", place: "answer", type: "string", rules: "required" });
});

test("the payload of every kind of element is shown", () => {
  expect(listPayloads(document)).toHaveLength(elements.length);
  expect(
    listPayloads(document)
      .find(({ name }) => name === "CopyPayload")
      ?.fields.map(({ name }) => name),
  ).toContain("target");
});
