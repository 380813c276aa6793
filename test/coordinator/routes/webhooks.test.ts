import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestDoors, type TestDoors } from "../../helpers/farm/doors.ts";
import { aFolder, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let doors: TestDoors;
let owner: string;
let operator: string;
let viewer: string;
beforeAll(async () => {
  folder = aFolder();
  doors = await openTestDoors(folder);
  [owner, operator, viewer] = [await doors.enter("owner"), await doors.enter("operator"), await doors.enter("viewer")];
});
afterAll(async () => {
  await doors.close();
  removeFolder(folder);
});

const secret = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
const hook = { name: "archive", url: "https://hook.example/a-secret-path", events: ["job.failed"], secret };

test("owners make webhooks; operators see them, test them and send again; viewers see none of it", async () => {
  expect((await doors.ask("POST", "/webhooks", operator, hook)).status).toBe(403);
  const made = await doors.ask("POST", "/webhooks", owner, hook);
  expect([made.status, made.body.origin, made.body.is_on]).toEqual([200, "https://hook.example", true]);
  expect((await doors.ask("GET", "/webhooks", viewer)).status).toBe(403);
  const { body: seen } = await doors.ask("GET", "/webhooks", operator);
  expect(seen.items.map(({ name }: { name: string }) => name)).toEqual(["archive"]);
  const tried = await doors.ask("POST", "/webhooks/archive/tests", operator, {});
  expect(tried.body).toMatchObject({
    type: "webhook.test",
    state: "given_up",
    answer: "This coordinator sends nothing",
  });
  const { body: one } = await doors.ask("GET", `/webhooks/archive/messages/${tried.body.id}`, operator);
  expect(one).toMatchObject({ id: tried.body.id, message: { type: "webhook.test", data: { webhook: "archive" } } });
  expect((await doors.ask("POST", "/webhooks/archive/messages", viewer, { ids: [one.id] })).status).toBe(403);
  const again = await doors.ask("POST", "/webhooks/archive/messages", operator, { ids: [one.id] });
  expect(again.body).toEqual({ count: 1 });
  for (const [method, path, body] of [
    ["PUT", "/webhooks/archive", { is_on: false }],
    ["POST", "/webhooks/archive/secrets", { secret }],
    ["DELETE", "/webhooks/archive", {}],
  ] as const) {
    expect((await doors.ask(method, path, operator, body)).status).toBe(403);
    expect((await doors.ask(method, path, owner, body)).status).toBe(200);
  }
  expect((await doors.ask("GET", "/webhooks", owner)).body.items).toEqual([]);
});

test("a program needs the scope webhooks, whatever else it may do", async () => {
  const power = { reach: "all", group: null } as const;
  const let_in = await doors.enterAsProgram({ ...power, scopes: ["webhooks"] }, "hooks");
  const others = await doors.enterAsProgram(
    { ...power, scopes: ["jobs:read", "jobs:write", "settings", "mounts"] },
    "all else",
  );
  const list = (headers: object) => doors.inject({ method: "GET", url: "/v1/webhooks", headers: { ...headers } });
  expect([(await list(let_in)).status, (await list(others)).status]).toEqual([200, 403]);
});

describe("what is refused", () => {
  const create = (changes: object) => doors.ask("POST", "/webhooks", owner, { ...hook, ...changes });
  test.each<[string, object]>([
    ["a secret that is too short", { secret: `whsec_${Buffer.alloc(16, 9).toString("base64")}` }],
    ["a secret without its prefix", { secret: secret.slice(6) }],
    ["an address that is none of the web", { url: "ftp://hook.example/a-secret-path" }],
    ["no events", { events: [] }],
    ["an event that there is not", { events: ["job.renamed"] }],
    ["a name that is no name", { name: "../x" }],
    ["a field that there is not", { retries: 9 }],
  ])("%s", async (_, changes) => {
    const { status, text } = await create(changes);
    expect([status, text.includes(secret.slice(6, 30)), text.includes("a-secret-path")]).toEqual([400, false, false]);
  });

  test("names that are in use, and what is not there", async () => {
    await create({});
    expect((await create({})).status).toBe(409);
    const ask = async (path: string, body: object = {}) => (await doors.ask("POST", path, owner, body)).status;
    expect([
      await ask("/webhooks/none/tests"),
      await ask("/webhooks/archive/messages", { ids: ["1-1"] }),
      await ask("/webhooks/archive/messages", { ids: ["x"] }),
      await ask("/webhooks/archive/messages", {}),
      await ask("/webhooks/archive/messages", { ids: ["1-1"], all_given_up: true }),
    ]).toEqual([404, 404, 404, 400, 400]);
  });
});

test("the audit tells who made a webhook, and neither where it leads nor by which secret", async () => {
  const { text } = await doors.ask("GET", "/trail", owner);
  expect(text).toContain("createWebhook");
  expect(text).toContain("archive");
  for (const word of ["a-secret-path", secret.slice(6)]) expect(text).not.toContain(word);
});
