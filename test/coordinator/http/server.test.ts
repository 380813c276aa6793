import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { turns } from "../../helpers/clock.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aProfile, aSmallJob, aSource, enrol, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let world: TestCoordinator;

beforeAll(async () => {
  folder = aFolder();
  world = await openTestCoordinator(folder);
  for (const name of ["one", "two", "three"])
    await world.api("POST", "/jobs", { body: aSmallJob({ name, user_tag: `tag ${name}` }) });
});

afterAll(async () => {
  await world.coordinator.close();
  removeFolder(folder);
});

test("sockets that were answered without a request are closed, even if their other ends stay open", async () => {
  const { port } = new URL(world.origin);
  const upgrade = "GET /v1/other HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n";
  const openSockets = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;
  const dial = async (words: string) => {
    const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
    socket.resume().write(words);
    await new Promise((resolve) => socket.once("end", resolve));
    return socket;
  };
  for (const words of ["soup\r\n\r\n", upgrade]) {
    const before = openSockets();
    const ours = await Promise.all(Array.from({ length: 30 }, () => dial(words)));
    // Theirs are gone: thirty are left, and some that were there before may have ended meanwhile.
    while (openSockets() > before + 35) await turns();
    for (const socket of ours) socket.destroy();
  }
});

const list = async (query: string) => (await world.api("GET", `/jobs/info?${query}`)).body.items;
const refusal = ({ status, body }: { status: number; body: { success: boolean; error: string; message: string } }) => {
  expect(Object.keys(body)).toEqual(["success", "error", "message", "details"]);
  expect(body.success).toBe(false);
  return `${status} ${body.error}`;
};
const json = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const three = [{ id: "1" }, { id: "2" }, { id: "3" }];

describe("arguments", () => {
  test.each([
    ["none", "", three],
    ["fields[]", "fields[]=id&fields[]=name&ids[]=2", [{ id: "2", name: "two" }]],
    ["encoded brackets", "fields%5B%5D=name&ids%5B%5D=2", [{ name: "two" }]],
    ["numbered fields", "fields[0]=name&fields[1]=id&ids[0]=2", [{ name: "two", id: "2" }]],
    ["repeated names", "fields=id&fields=name&ids=2", [{ id: "2", name: "two" }]],
    ["one name", "fields=name&ids=2", [{ name: "two" }]],
    ["JSON arrays", `fields=${json(["name"])}&ids=${json([2, "3"])}`, [{ name: "two" }, { name: "three" }]],
    [
      "filters[0][values][]",
      "filters[0][field]=name&filters[0][values][]=one&filters[0][values][]=two",
      three.slice(0, 2),
    ],
    ["a filter's single value", "filters[0][field]=user_tag&filters[0][values][0]=tag%20one", three.slice(0, 1)],
    ["JSON filters", `filters=${json([{ field: "name", values: ["three"] }])}`, three.slice(2)],
    ["a value with a question mark", "filters[0][field]=name&filters[0][values][]=who?", []],
    ["order and page", "order=desc&skip=1&take=1&sort_field=name", [{ id: "3" }]],
    ["a page beyond the limit", "take=99999", three],
    ["an empty list of ids", "ids=", three],
    ["ids that are none", "ids[]=x&ids[]=1e0&ids[]=", []],
  ])("come in the query as %s", async (_, query, items) => {
    expect(await list(query)).toEqual(items);
  });

  test("come in the body of a GET, which wins", async () => {
    // fetch sends no body with a GET.
    const body = JSON.stringify({ ids: ["3"], fields: ["name"] });
    const { port } = new URL(world.origin);
    const lines = [
      "GET /v1/jobs/info?ids[]=1 HTTP/1.1",
      "host: farm",
      `authorization: Basic ${btoa(`${world.secrets.oapiKey}:${world.secrets.oapiSecret}`)}`,
      "x-service-compliance: 20261101",
      `x-service-sapiauth: ${world.token}`,
      "content-type: application/json",
      `content-length: ${body.length}`,
      "connection: close",
    ];
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write(`${lines.join("\r\n")}\r\n\r\n${body}`));
      let text = "";
      socket.on("data", (data) => {
        text += data;
      });
      socket.on("end", () => resolve(text)).on("error", reject);
    });
    expect(answer.split("\r\n\r\n")[1]).toBe('{"items":[{"name":"three"}]}');
  });

  test.each([
    ["ids", (n: number) => Array(n).fill("ids[]=1").join("&")],
    ["ids as JSON", (n: number) => `ids=${json(Array(n).fill(1))}`],
    ["a filter's values", (n: number) => `filters[0][field]=name&${Array(n).fill("filters[0][values][]=x").join("&")}`],
  ])("of more than 250 elements go in the body: %s", async (_, query) => {
    expect((await world.api("GET", `/jobs/info?${query(250)}`)).status).toBe(200);
    const answer = await world.api("GET", `/jobs/info?${query(251)}`);
    expect(refusal(answer)).toBe("400 VALIDATION_FAILED");
    expect(answer.body.message).toContain("250");
  });

  test("of more than 250 elements are taken from the body", async () => {
    const ids = Array(1000).fill("999");
    expect((await world.api("DELETE", "/jobs", { body: { ids } })).body).toEqual({ items: [] });
  });

  test.each([
    "fields[]=soup",
    "order=up",
    "sort_field=error",
    "take=-1",
    "skip=x",
    "filters[0][field]=id",
    "filters=x",
  ])("that are wrong are refused: %s", async (query) => {
    expect(refusal(await world.api("GET", `/jobs/info?${query}`))).toBe("400 VALIDATION_FAILED");
  });
});

describe("a wrong method", () => {
  test.each([
    ["PATCH", "/v1/jobs/1", "DELETE, PUT"],
    ["POST", "/v1/jobs/1/info?fields=id", "GET, HEAD"],
    ["GET", "/v1/jobs/actions", "DELETE, POST, PUT"],
    ["PUT", "/v1/jobs/", "DELETE, POST"],
    ["DELETE", "/healthz", "GET, HEAD"],
    ["PATCH", "/ui/v1/session", "DELETE, GET, HEAD, POST, PUT"],
  ])("%s %s is answered with those that there are: %s", async (method, path, allowed) => {
    const { status, body, headers } = await world.ask(method, path);
    expect([status, body.error, headers.get("allow")]).toEqual([405, "METHOD_NOT_ALLOWED", allowed]);
    expect(body.message).toContain(allowed);
  });
});

describe("headers of answers", () => {
  test("name the request: by the caller's own name if it is plain, else by one of the farm's", async () => {
    const idOf = async (given?: string) => {
      const { headers } = await world.api("GET", "/jobs/count", { headers: { "x-request-id": given } });
      return headers.get("x-request-id");
    };
    expect(await idOf("render-7:retry.2")).toBe("render-7:retry.2");
    const [one, other] = [await idOf(), await idOf('"><script>')];
    expect(one).toMatch(/^[a-z0-9]+-\d+$/);
    expect(other).toMatch(/^[a-z0-9]+-\d+$/);
    expect(one).not.toBe(other);
    expect((await world.ask("GET", "/v1/nothing")).headers.get("x-request-id")).toMatch(/^[a-z0-9]+-\d+$/);
  });

  test("say how much a caller may have under way, and what is left", async () => {
    const { headers } = await world.api("GET", "/jobs/count");
    const most = Number(/^"caller";q=(\d+);qu="concurrent-requests"$/.exec(headers.get("ratelimit-policy") ?? "")?.[1]);
    const left = Number(/^"caller";r=(\d+)$/.exec(headers.get("ratelimit") ?? "")?.[1]);
    expect(most).toBeGreaterThanOrEqual(1);
    expect(left).toBeLessThan(most);
  });
});

describe("what is refused", () => {
  test.each([
    ["GET", "/nothing", "404 NOT_FOUND"],
    ["GET", "/jobs/99/info", "404 NOT_FOUND"],
    ["GET", "/jobs/abc/info", "404 NOT_FOUND"],
    ["GET", "/jobs/1e0/info", "404 NOT_FOUND"],
    ["GET", "/jobs/-1/info", "404 NOT_FOUND"],
    ["GET", "/jobs/99999999999999999999/result", "404 NOT_FOUND"],
    ["GET", `/jobs/${"1".repeat(250)}/info`, "404 NOT_FOUND"],
    ["GET", "/jobs/%zz/info", "400 VALIDATION_FAILED"],
    ["PUT", "/jobs/99", "404 NOT_FOUND"],
    ["PUT", "/jobs/99/stop", "404 NOT_FOUND"],
    ["DELETE", "/jobs/99", "404 NOT_FOUND"],
    ["DELETE", "/jobs", "400 VALIDATION_FAILED"],
    ["PUT", "/nodes/99", "404 NOT_FOUND"],
    ["GET", "/tasks/99/log", "404 NOT_FOUND"],
  ])("%s %s is %s", async (method, path, expected) => {
    expect(refusal(await world.api(method, path))).toBe(expected);
  });

  test.each([
    ["half a body", '{"name":', "400 INVALID_JSON"],
    ["a body that is no JSON", "name=x", "400 INVALID_JSON"],
    ["a body that changes prototypes", '{"__proto__":{"a":1}}', "400 INVALID_JSON"],
    ["a list", "[]", "400 VALIDATION_FAILED"],
    ["a text", '"x"', "400 VALIDATION_FAILED"],
    ["null", "null", "400 VALIDATION_FAILED"],
    ["five megabytes", `{"name":"${"x".repeat(5_000_000)}"}`, "413 TOO_LARGE"],
  ])("%s is refused", async (_, body, expected) => {
    expect(refusal(await world.api("POST", "/jobs", { body }))).toBe(expected);
  });

  test("a client that reads only after it has sent thirty megabytes gets its answer", async () => {
    const body = Buffer.alloc(30_000_000, "x");
    const { oapiKey, oapiSecret } = world.secrets;
    const head = [
      "POST /v1/jobs HTTP/1.1",
      ...[
        "Host: 127.0.0.1",
        "X-Service-Compliance: 20261101",
        `Authorization: Basic ${btoa(`${oapiKey}:${oapiSecret}`)}`,
      ],
      ...[`X-Service-Sapiauth: ${world.token}`, `Content-Length: ${body.length}`],
    ];
    const socket = connect(Number(new URL(world.origin).port), "127.0.0.1");
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject).write(`${head.join("\r\n")}\r\n\r\n`);
      socket.write(body, (problem) => (problem ? reject(problem) : resolve()));
    });
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 [\s\S]*"error":"TOO_LARGE"/);
    socket.destroy();
  });

  test("a job's faults are told by path", async () => {
    const { body } = await world.api("POST", "/jobs", {
      body: aSmallJob({ payload: { elements: [{ uid: "a", kind: "soup" }] } }),
    });
    expect(body).toMatchObject({ error: "VALIDATION_FAILED", details: [{ path: "payload.elements[0].kind" }] });
  });

  test("a request that is no HTTP is answered in the same shape", async () => {
    const { port } = new URL(world.origin);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write("soup\r\n\r\n"));
      let text = "";
      socket.on("data", (data) => {
        text += data;
      });
      socket.on("end", () => resolve(text)).on("error", reject);
    });
    expect(answer.split("\r\n")[0]).toBe("HTTP/1.1 400 Bad Request");
    expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toMatchObject({ success: false, error: "VALIDATION_FAILED" });
  });
});

test.each(["//v1/jobs/count", "/v1//jobs/count", "/v1/jobs/count/"])("%s is the same path", async (path) => {
  expect((await world.ask("GET", path, { headers: { "x-service-sapiauth": world.token } })).body).toEqual({ count: 3 });
});

describe("a job", () => {
  const submit = async (changes: Record<string, unknown> = {}) => {
    const { status, body } = await world.api("POST", "/jobs", { body: aSmallJob(changes) });
    expect([status, typeof body.id]).toEqual([200, "string"]);
    return body.id as string;
  };

  test("is told of with the fields that are asked for", async () => {
    const id = await submit({ name: "told", user_tag: "t", priority: "7" });
    expect((await world.api("GET", `/jobs/${id}/info`)).body).toEqual({ id });
    const fields = [
      "id",
      "name",
      "user_tag",
      "priority",
      "status",
      "substatus",
      "progress",
      "creation_time",
      "start_time",
    ];
    const more = ["end_time", "expiration_time", "error", "owner", "origin", "parent_id"];
    expect((await world.api("GET", `/jobs/${id}/info?fields=${json([...fields, ...more])}`)).body).toEqual({
      ...{ id, name: "told", user_tag: "t", priority: 7, status: "queued", substatus: "waiting", progress: 0 },
      creation_time: expect.stringMatching(/^2026-11-01T\d\d:\d\d:\d\d\.\d{3}Z$/),
      ...{ start_time: null, end_time: null, expiration_time: null, error: null },
      ...{ owner: "command line", origin: "api", parent_id: null },
    });
    expect((await world.api("GET", `/jobs/${id}/tasks?fields[]=kind&fields[]=status`)).body).toEqual({
      items: [{ kind: "source", status: "queued" }],
    });
    await world.api("DELETE", `/jobs/${id}`);
  });

  test("is echoed as it was received, with the default priority", async () => {
    const received = aSmallJob({ mystery: [1], definitions: { a: "b" }, name: "{{a}}" });
    const { body } = await world.api("POST", "/jobs", { body: received });
    expect((await world.api("GET", `/jobs/${body.id}/definition`)).body).toEqual({ priority: 100, ...received });
    expect((await world.api("GET", `/jobs/${body.id}/info?fields[]=name`)).body).toEqual({ name: "b" });
    await world.api("PUT", `/jobs/${body.id}`, { body: { priority: 7 } });
    expect((await world.api("GET", `/jobs/${body.id}/definition`)).body).toEqual({ priority: 100, ...received });
    await world.api("DELETE", `/jobs/${body.id}`);
  });

  test("is changed, stopped and deleted, each answered with its id", async () => {
    const id = await submit();
    expect((await world.api("PUT", `/jobs/${id}`, { body: { priority: 9, user_tag: null } })).body).toEqual({ id });
    expect(refusal(await world.api("PUT", `/jobs/${id}`, { body: { priority: 255 } }))).toBe("400 VALIDATION_FAILED");
    expect((await world.api("PUT", `/jobs/${id}/stop`)).body).toEqual({ id });
    expect(
      (await world.api("GET", `/jobs/${id}/info?fields[]=status&fields[]=substatus&fields[]=priority`)).body,
    ).toEqual({
      status: "failed",
      substatus: "stopped",
      priority: 9,
    });
    expect((await world.api("GET", `/jobs/${id}/result`)).body).toMatchObject({
      errors: [{ result_define: "SYS_TSK_CANCELLED", message: "The job was stopped by command line" }],
      job: { id: Number(id), status: "failed" },
    });
    expect((await world.api("DELETE", `/jobs/${id}`)).body).toEqual({ id });
    expect((await world.api("DELETE", `/jobs/${id}`)).status).toBe(404);
  });

  test("is deleted with others by a body or a query; what is no id deletes nothing", async () => {
    const ids = [await submit(), await submit(), await submit()];
    const odd = [`${ids[0]}.0`, `0${ids[0]}x`, "", `${ids[0]}e0`];
    expect((await world.api("DELETE", "/jobs", { body: { ids: odd } })).body).toEqual({ items: [] });
    expect((await world.api("DELETE", "/jobs", { body: { ids: [ids[0], Number(ids[1]), "99999"] } })).body).toEqual({
      items: ids.slice(0, 2),
    });
    expect((await world.api("DELETE", `/jobs?ids[]=${ids[2]}`)).body).toEqual({ items: [ids[2]] });
  });
});

test("a node that is set active again is given what waits", async () => {
  const { farm } = world.coordinator;
  const row = await enrol(farm, aProfile({ tags: ["here"] }));
  await world.api("PUT", `/nodes/${row.id}`, { body: { state: "paused" } });
  const told: string[] = [];
  const paused = farm.registry.row(row.id) ?? row;
  farm.registry.connect(paused, { send: ({ type }) => told.push(type), close: () => {} }, 0);
  await world.api("POST", "/jobs", { body: aSmallJob({ task_tags: ["here"], payload: { elements: [aSource()] } }) });
  expect(told).toEqual([]);
  const { body } = await world.api("PUT", `/nodes/${row.id}`, { body: { state: "active" } });
  expect(body).toMatchObject({ id: String(row.id), state: "active", tags: ["here"], slots: 2 });
  await farm.settle();
  await turns();
  expect(told).toContain("assign");
});
