import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { openApiOf } from "../../../coordinator/http/openapi/openapi.ts";
import { api } from "../../../shared/api/api.ts";

const root = join(import.meta.dirname, "../../..");
const jobsBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".json"))
        .map((name) => join(folder, name))
    : [];

const document = JSON.parse(JSON.stringify(openApiOf(api, "1")));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: "doc", components: document.components }, "doc");
const { schema } = document.paths["/v1/jobs"].post.requestBody.content["application/json"];
const isJob = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')));

describe("the OpenAPI document accepts", () => {
  test.each(jobsBelow(join(root, "docs/examples")).map((path) => [path.slice(root.length + 1), path]))(
    "%s",
    (_, path) => {
      expect([isJob(JSON.parse(readFileSync(path, "utf8"))), isJob.errors]).toEqual([true, null]);
    },
  );
});
