import { expect, test } from "vitest";
import { api } from "../../../shared/api/api.ts";
import { createClient } from "../../../shared/api/client.ts";
import { AppError, errorCodes } from "../../../shared/basics/errors.ts";

type Asked = { readonly line: string; readonly body: unknown; readonly headers: Record<string, string> };
type Answer = readonly [status: number, body: unknown];

/** A client whose server answers by `METHOD path`, each answer once and the last for ever. */
const aClient = (answers: Record<string, Answer[]>) => {
  const asked: Asked[] = [];
  const send = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const line = `${init.method} ${String(url).replace("http://farm", "")}`;
    asked.push({
      line,
      body: init.body === undefined ? undefined : JSON.parse(String(init.body)),
      headers: init.headers as Record<string, string>,
    });
    const list = answers[line] ?? [[404, { error: "NOT_FOUND", message: `no ${line}` }]];
    const [status, body] = (list.length > 1 ? list.shift() : list[0]) ?? [500, ""];
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
  };
  const keys = { oapiKey: "k", oapiSecret: "s", authKey: "a", authSecret: "b" };
  const client = createClient({ baseUrl: "http://farm/v1/", ...keys, fetch: send as typeof fetch });
  return { client, asked, lines: () => asked.map(({ line }) => line) };
};

const login = {
  "POST /v1/login": [
    [200, { token: "t1" }],
    [200, { token: "t2" }],
  ] as Answer[],
};
const refusal = (error: string, message = error): Record<string, unknown> => ({
  success: false,
  error,
  message,
  details: [],
});

test("it logs in once and sends both layers and the date with every call", async () => {
  const { client, asked, lines } = aClient({ ...login, "PUT /v1/jobs/7/stop": [[200, { id: "7" }]] });
  expect(await Promise.all([client.stopJob({ job_id: "7" }), client.stopJob({ job_id: "7" })])).toEqual([
    { id: "7" },
    { id: "7" },
  ]);
  expect(lines()).toEqual(["POST /v1/login", "PUT /v1/jobs/7/stop", "PUT /v1/jobs/7/stop"]);
  expect(asked[0]?.body).toEqual({ auth_key: "a", auth_secret: "b" });
  expect(asked[1]?.headers).toEqual({
    authorization: `Basic ${btoa("k:s")}`,
    "x-service-compliance": "20261101",
    "content-type": "application/json",
    "x-service-sapiauth": "t1",
  });
});

test("an expired token is replaced once", async () => {
  const path = "GET /v1/jobs/7/definition";
  const { client, lines, asked } = aClient({
    ...login,
    [path]: [
      [401, refusal("NOT_AUTHENTICATED")],
      [200, { name: "x" }],
    ],
  });
  expect(await client.getDefinition({ job_id: "7" })).toEqual({ name: "x" });
  expect(lines()).toEqual(["POST /v1/login", path, "POST /v1/login", path]);
  expect(asked.at(-1)?.headers["x-service-sapiauth"]).toBe("t2");
});

test("a second refusal in a row is told", async () => {
  const path = "GET /v1/jobs/7/definition";
  const { client, lines } = aClient({ ...login, [path]: [[401, refusal("NOT_AUTHENTICATED", "no")]] });
  await expect(client.getDefinition({ job_id: "7" })).rejects.toMatchObject({
    code: "NOT_AUTHENTICATED",
    message: "no",
  });
  expect(lines()).toHaveLength(4);
});

test("a failed login is told, and tried anew with the next call", async () => {
  const { client } = aClient({
    "POST /v1/login": [
      [401, refusal("NOT_AUTHENTICATED", "wrong")],
      [200, { token: "t" }],
    ],
    "GET /v1/jobs/7/definition": [[200, {}]],
  });
  await expect(client.getDefinition({ job_id: "7" })).rejects.toThrow("wrong");
  expect(await client.getDefinition({ job_id: "7" })).toEqual({});
});

test("arguments of a GET travel in the query, arrays as JSON", async () => {
  const { client, lines } = aClient({
    ...login,
    "GET /v1/jobs/info?fields=%5B%22id%22%2C%22name%22%5D&take=5": [[200, { items: [] }]],
  });
  expect(await client.listJobs({ fields: ["id", "name"], take: 5, ids: undefined })).toEqual({ items: [] });
  expect(lines()).toHaveLength(2);
});

test("arguments of other methods travel in the body, names of the path encoded in it", async () => {
  const { client, asked } = aClient({ ...login, "PUT /v1/jobs/a%2Fb": [[200, { id: "7" }]] });
  await client.updateJob({ job_id: "a/b", priority: 7 });
  expect(asked.at(-1)).toMatchObject({ line: "PUT /v1/jobs/a%2Fb", body: { priority: 7 } });
});

test("a refusal becomes an AppError with the server's code, words and details", async () => {
  const details = [{ path: "name", message: "missing" }];
  const { client } = aClient({
    ...login,
    "POST /v1/jobs": [[400, { success: false, error: "VALIDATION_FAILED", message: "name: missing", details }]],
  });
  const problem = await client.createJob({ name: "", payload: {} }).catch((thrown) => thrown);
  expect(problem).toBeInstanceOf(AppError);
  expect(problem).toMatchObject({ code: "VALIDATION_FAILED", message: "name: missing", details });
});

test.each([
  ["a proxy's page", 502, "<html>bad gateway"],
  ["an unknown code", 500, { error: "SOUP" }],
  ["a code that every object has", 500, { error: "toString" }],
  ["a success that is no JSON", 200, "hello"],
])("%s is told as INTERNAL with the status", async (_, status, body) => {
  const { client } = aClient({ ...login, "GET /v1/jobs/7/definition": [[status, body]] });
  await expect(client.getDefinition({ job_id: "7" })).rejects.toMatchObject({
    code: "INTERNAL",
    message: expect.stringContaining(String(status)),
  });
});

test("a server that cannot be reached is unavailable", async () => {
  const send = () => Promise.reject(new TypeError("fetch failed"));
  const keys = { oapiKey: "k", oapiSecret: "s", authKey: "a", authSecret: "b" };
  const client = createClient({ baseUrl: "http://farm/v1", ...keys, fetch: send });
  await expect(client.listNodes({})).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "No coordinator answers at http://farm",
  });
});

/** A farm with two coordinators, as `places` has them: an error that a connection ends with, or the status of an answer. */
const aFarmOfTwo = async (places: Record<string, string | number>) => {
  const lines: string[] = [];
  const send = async (url: string | URL | Request, init: RequestInit = {}) => {
    const { host, pathname } = new URL(String(url));
    lines.push(`${init.method} ${host}${pathname}`);
    const place = places[host];
    if (typeof place === "string") throw Object.assign(new TypeError("fetch failed"), { cause: { code: place } });
    return Response.json(pathname === "/v1/login" ? { token: "t" } : { id: "7", items: [] }, { status: place ?? 200 });
  };
  const client = createClient({
    ...{ baseUrl: "http://a/v1", otherUrls: ["http://b/v1"], fetch: send as typeof fetch },
    ...{ oapiKey: "k", oapiSecret: "s", authKey: "a", authSecret: "b" },
  });
  await client.listNodes({}).catch(() => undefined);
  lines.length = 0;
  return { client, lines, places };
};

test.each([
  ["nobody answers", "ECONNREFUSED"],
  ["nobody leads", 503],
])("where %s at one address, the next one is asked, and first from then on", async (_, place) => {
  const { client, lines } = await aFarmOfTwo({ a: place });
  await client.listNodes({});
  expect(lines).toEqual(["GET b/v1/nodes"]);
});

test("what may have arrived, or may be done, is not sent to another address, if twice is not as good as once", async () => {
  const { client, lines, places } = await aFarmOfTwo({});
  places.a = "ECONNRESET";
  await expect(client.createJob({ name: "x", payload: {} })).rejects.toThrow("No coordinator answers at http://a");
  places.a = errorCodes.OUTCOME_UNKNOWN.status;
  await expect(client.createJob({ name: "x", payload: {} })).rejects.toThrow("504");
  expect(lines.splice(0)).toEqual(["POST a/v1/jobs", "POST a/v1/jobs"]);
  places.a = "ECONNRESET";
  await client.createJob({ name: "x", payload: {} }, { headers: { "idempotency-key": "1" } });
  await client.stopJob({ job_id: "7" });
  expect(lines).toEqual(["POST a/v1/jobs", "POST b/v1/jobs", "PUT b/v1/jobs/7/stop"]);
});

test("where no address answers, the last one is named", async () => {
  const { client } = await aFarmOfTwo({ a: "ECONNREFUSED", b: "ECONNREFUSED" });
  await expect(client.listNodes({})).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("what is called off is told as it is", async () => {
  const off = AbortSignal.abort(new Error("called off"));
  const send = (_url: unknown, init?: RequestInit) =>
    init?.signal?.aborted ? Promise.reject(init.signal.reason) : Promise.resolve(Response.json({ token: "t" }));
  const keys = { oapiKey: "k", oapiSecret: "s", authKey: "a", authSecret: "b" };
  const client = createClient({ baseUrl: "http://farm/v1", ...keys, fetch: send as typeof fetch });
  await expect(client.listNodes({}, { signal: off })).rejects.toThrow("called off");
});

test("there is a call for every route of the table, and the streams of events and of outputs", () => {
  const { client } = aClient({});
  expect(Object.keys(client).sort()).toEqual([...Object.keys(api), "events", "openOutput"].sort());
});

test("an output of a task that is called dots is not asked for", async () => {
  const { client, lines } = aClient(login);
  for (const task_id of ["", ".", ".."])
    await expect(client.openOutput({ task_id, position: 0 })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  expect(lines()).toEqual([]);
});

test("a route's own header travels beside those of every call", async () => {
  const { client, asked } = aClient({ ...login, "POST /v1/jobs": [[200, { id: "7" }]] });
  await client.createJob({ name: "x", payload: {} }, { headers: { "idempotency-key": "night-1" } });
  expect(asked.at(-1)?.headers).toMatchObject({
    "idempotency-key": "night-1",
    "x-service-sapiauth": expect.any(String),
  });
});
