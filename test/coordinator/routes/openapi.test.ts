import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aJob } from "../../helpers/farm/farm.ts";
import { lookUp, type Operation, openApiDocument, operationsOf } from "../../helpers/farm/openapi-rules.ts";
import { aWorldPerFile } from "../../helpers/farm/worlds.ts";

const world = aWorldPerFile({
  open: openTestCoordinator,
  close: ({ coordinator }) => coordinator.close(),
});

test("the document asks for the API's authentication", async () => {
  expect((await world().ask("GET", "/v1/openapi.json")).status).toBe(401);
  expect((await world().api("GET", "/openapi.json", { headers: { authorization: undefined } })).status).toBe(401);
});

test("every answer of the server is as the document says, errors included", async () => {
  const { body: document } = await world().api("GET", "/openapi.json");
  const operations = operationsOf(openApiDocument.parse(document));
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "doc", components: document.components }, "doc");
  const asked = new Set<string>();

  const validate = (operation: Operation, { status, body }: { status: number; body: unknown }) => {
    // What a caller did wrong is declared by its status; the default is for the farm's own troubles.
    const said = operation.responses[String(status)];
    expect(said, `${operation.operationId} answers ${status}, which it does not declare`).toBeDefined();
    const response = said && "$ref" in said ? lookUp(document, said.$ref) : said;
    const schema = (response as { content: Record<string, { schema: object }> }).content["application/json"]?.schema;
    const isValid = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')));
    expect(isValid(body), `${operation.operationId}: ${JSON.stringify(isValid.errors)}`).toBe(true);
  };

  const ask = (operation: Operation, values: Record<string, string>, body?: object) => {
    asked.add(operation.operationId);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "missing");
    return world().ask(operation.method, path, { body, headers: { "x-service-sapiauth": world().token } });
  };

  const check = async (operationId: string, values: Record<string, string> = {}, body?: object, wanted = 200) => {
    const operation = operations.find((each) => each.operationId === operationId);
    if (!operation) throw new Error(`there is no ${operationId}`);
    const answer = await ask(operation, values, body);
    expect(answer.status, `${operationId}: ${JSON.stringify(answer.body)}`).toBe(wanted);
    validate(operation, answer);
    return answer.body;
  };

  const { id } = await check("createJob", {}, aJob());
  const job = { job_id: id };
  await check("login", {}, { auth_key: world().secrets.authKey, auth_secret: world().secrets.authSecret });
  await check("login", {}, { auth_key: "x" }, 400);
  for (const name of ["getJobInfo", "listTasks", "getDefinition", "getResult"]) await check(name, job);
  await check("updateJob", job, { priority: 7 });
  await check("updateJob", job, { priority: 700 }, 400);
  for (const name of ["pauseJob", "resumeJob", "stopJob"]) await check(name, job);
  for (const name of ["listJobs", "countJobs", "listNodes", "listMounts", "listPresets", "getOpenApi"])
    await check(name);
  await check("putComputeGroup", { name: "big" }, { provided_tags: ["gpu"] });
  await check("listComputeGroups");
  await check("deleteComputeGroup", { name: "big" });
  await check("deleteComputeGroup", { name: "big" }, undefined, 404);
  await check("setLimits", {}, { items: [{ tag: "gpu", most: 2 }] });
  await check("listLimits");
  await check("changeLimits", {}, { remove: ["gpu"] });
  await check("changeLimits", {}, { remove: ["gpu"] }, 404);
  await check("putPreset", {}, { key: "p", payload: {} });
  await check("getPreset", { key: "p" });
  await check("deletePreset", { key: "p" });
  await check("deletePreset", { key: "p" }, undefined, 404);
  await check("setMounts", {}, { items: [{ prefix: "s3://b", folders: { posix: "/mnt/b" } }] });
  await check("changeMounts", {}, { remove: ["s3://b"] });
  await check("changeMounts", {}, { remove: ["s3://b"] }, 404);
  const { items } = await check("listTasks", job);
  await check("getTaskLog", { task_id: items[0].id });
  await check("explainTask", { task_id: items[0].id });
  await check("updateNode", { node_id: "77" }, { state: "drain" }, 404);
  // Whatever else there is answers too, well or in the form of errors; the stream without end has its own tests.
  const others = operations.filter(({ operationId }) => !["events", "deleteJob", "deleteJobs"].includes(operationId));
  for (const operation of others.filter(({ operationId }) => !asked.has(operationId))) {
    const answer = await ask(operation, { ...job, task_id: items[0].id, node_id: "77" });
    expect(answer.status, operation.operationId).toBeLessThan(500);
    validate(operation, answer);
  }
  await check("deleteJob", job);
  await check("deleteJob", job, undefined, 404);
  await check("deleteJobs", {}, { ids: [] });
});
