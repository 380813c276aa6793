import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aSmallJob, aSource, removeFolder } from "../../helpers/farm/farm.ts";
import { lines, rawSender } from "../../helpers/processes/raw-http.ts";

let folder: string;
let world: TestCoordinator;

beforeAll(async () => {
  folder = aFolder();
  world = await openTestCoordinator(folder);
  for (const name of ["one", "two", "three"]) await world.api("POST", "/jobs", { body: aSmallJob({ name }) });
  await world.api("PUT", "/jobs/2/stop");
});

afterAll(async () => {
  await world.coordinator.close();
  removeFolder(folder);
});

const raw = rawSender(() => world);
const send = async (head: string, body?: string) => {
  const { status, type, body: told } = await raw(head, body);
  return { status, type, body: told };
};

const fine = (body: unknown) => ({ status: "HTTP/1.1 200 OK", type: "application/json; charset=utf-8", body });
const token = { token: expect.stringMatching(/^[\w-]+$/), expiration_time: "2026-11-01T00:30:00.000Z" };

describe("the Go SDK", () => {
  const headers = [
    "Host: farm:8700",
    "User-Agent: Go-http-client/1.1",
    "Authorization: Basic <pair>",
    "X-Hybrik-Compliance: 20170601",
  ];
  const after = ["X-Hybrik-Sapiauth: <token>", "Accept-Encoding: gzip", "Connection: close"];

  test("logs in with a body", async () => {
    // Its date is fixed: clients are told only what was there on that day.
    const body = '{"auth_key":"<key>","auth_secret":"<secret>"}';
    const head = lines(
      "POST /v1/login HTTP/1.1",
      ...headers.slice(0, 2),
      "Content-Length: <length>",
      ...headers.slice(2),
      "Content-Type: application/json",
      "Accept-Encoding: gzip",
      "Connection: close",
    );
    expect(await send(head, body)).toEqual(fine(token));
  });

  test("creates a job, with retries as flat keys, and reads an id that is text", async () => {
    const body = `{"name":"go","payload":{"elements":[${JSON.stringify(aSource())}],"connections":[]},"schema":"hybrik","expiration":60,"priority":100,"task_retry:count":1,"task_retry:delay_sec":30,"task_tags":[],"user_tag":""}`;
    const head = lines(
      "POST /v1/jobs HTTP/1.1",
      ...headers.slice(0, 2),
      "Content-Length: <length>",
      ...headers.slice(2),
      "Content-Type: application/json",
      ...after,
    );
    expect(await send(head, body)).toEqual(fine({ id: expect.stringMatching(/^\d+$/) }));
  });

  test("asks for a job's info with encoded brackets", async () => {
    const fields = ["id", "name", "progress", "status", "start_time", "end_time"].map((each) => `fields%5B%5D=${each}`);
    const head = lines(`GET /v1/jobs/1/info?${fields.join("&")} HTTP/1.1`, ...headers, ...after);
    expect(await send(head)).toEqual(
      fine({ id: "1", name: "one", progress: 0, status: "queued", start_time: null, end_time: null }),
    );
  });

  test("stops a job without a body, and finds its id in the answer", async () => {
    const head = lines("PUT /v1/jobs/2/stop HTTP/1.1", ...headers, "Content-Length: 0", ...after);
    expect(await send(head)).toEqual(fine({ id: "2" }));
  });
});

describe("axios", () => {
  const headers = [
    "Accept: application/json, text/plain, */*",
    "Content-Type: application/json",
    "X-Hybrik-Compliance: 20190101",
    "X-Hybrik-Sapiauth: <token>",
    "Authorization: Basic <pair>",
    "User-Agent: axios/0.19.2",
  ];
  const get = (path: string) => lines(`GET ${path} HTTP/1.1`, ...headers, "Host: farm:8700", "Connection: close");

  test("logs in with a body", async () => {
    const body = '{"auth_key":"<key>","auth_secret":"<secret>"}';
    const head = lines(
      "POST /v1/login HTTP/1.1",
      "Accept: application/json, text/plain, */*",
      "Content-Type: application/json;charset=utf-8",
      "X-Hybrik-Compliance: 20190101",
      "Authorization: Basic <pair>",
      "User-Agent: axios/0.19.2",
      "Content-Length: <length>",
      "Host: farm:8700",
      "Connection: close",
    );
    expect(await send(head, body)).toEqual(fine(token));
  });

  test("lists with brackets as they are, newest first", async () => {
    const answer = await send(get("/v1/jobs/info?fields[]=id&fields[]=name&ids[]=1&ids[]=3&sort_field=id&order=desc"));
    expect(answer).toEqual(
      fine({
        items: [
          { id: "3", name: "three" },
          { id: "1", name: "one" },
        ],
      }),
    );
  });

  test("lists with filters that are objects", async () => {
    const filter = "filters[0][field]=status&filters[0][values][]=failed&filters[0][values][]=completed";
    expect(await send(get(`/v1/jobs/info?fields[]=name&${filter}`))).toEqual(fine({ items: [{ name: "two" }] }));
    expect(await send(get(`/v1/jobs/count?${filter}`))).toEqual(fine({ count: 1 }));
  });

  test("asks for anything at all to see whether the farm is there", async () => {
    const { body, ...answer } = await send(get("/v1/jobs/info"));
    expect(answer).toEqual({ status: "HTTP/1.1 200 OK", type: "application/json; charset=utf-8" });
    expect(body.items.slice(0, 3)).toEqual([{ id: "1" }, { id: "2" }, { id: "3" }]);
  });

  test("deletes with a body", async () => {
    const { body: made } = await world.api("POST", "/jobs", { body: aSmallJob() });
    const body = `{"ids":["${made.id}"]}`;
    const head = lines(
      "DELETE /v1/jobs HTTP/1.1",
      ...headers,
      "Content-Length: <length>",
      "Host: farm:8700",
      "Connection: close",
    );
    expect(await send(head, body)).toEqual(fine({ items: [made.id] }));
    expect((await send(get(`/v1/jobs/${made.id}/info`))).status).toBe("HTTP/1.1 404 Not Found");
  });
});

describe("the connector made with request-promise", () => {
  const headers = [
    "X-Hybrik-Compliance: 20160401",
    "host: farm:8700",
    "accept: application/json",
    "authorization: Basic <pair>",
  ];

  test("logs in by the query, with an empty body and no type", async () => {
    const head = lines(
      "POST /v1/login?auth_key=<key>&auth_secret=<secret> HTTP/1.1",
      ...headers,
      "content-length: 0",
      "Connection: close",
    );
    expect(await send(head)).toEqual(fine(token));
  });

  test("numbers all its brackets", async () => {
    const query =
      "fields%5B0%5D=id&fields%5B1%5D=status&filters%5B0%5D%5Bfield%5D=status&filters%5B0%5D%5Bvalues%5D%5B0%5D=failed&skip=0&take=10";
    const head = lines(
      `GET /v1/jobs/info?${query} HTTP/1.1`,
      ...headers,
      "X-Hybrik-Sapiauth: <token>",
      "Connection: close",
    );
    expect(await send(head)).toEqual(fine({ items: [{ id: "2", status: "failed" }] }));
  });
});

describe("the Python clients", () => {
  const headers = [
    "Host: farm:8700",
    "User-Agent: python-requests/2.28.1",
    "Accept-Encoding: gzip, deflate",
    "Accept: */*",
    "Connection: close",
    "Content-Type: application/json",
    "X-Hybrik-Compliance: 20210101",
  ];
  const signed = [...headers, "X-Hybrik-Sapiauth: <token>", "Authorization: Basic <pair>"];

  test("log in by the query, with a type and no body", async () => {
    const head = lines(
      "POST /v1/login?auth_key=<key>&auth_secret=<secret> HTTP/1.1",
      ...headers,
      "Content-Length: 0",
      "Authorization: Basic <pair>",
    );
    expect(await send(head)).toEqual(fine(token));
  });

  test("repeat names, also with one slash too many", async () => {
    const head = lines("GET //v1/jobs/info?ids=1&ids=3&fields=id&fields=name HTTP/1.1", ...signed);
    expect(await send(head)).toEqual(
      fine({
        items: [
          { id: "1", name: "one" },
          { id: "3", name: "three" },
        ],
      }),
    );
    const single = lines("GET /v1/jobs/info/?ids=1&fields=name HTTP/1.1", ...signed);
    expect(await send(single)).toEqual(fine({ items: [{ name: "one" }] }));
  });

  test("name filters by their field", async () => {
    const body = '{"filters": {"status": ["failed"], "name": "two"}, "fields": ["name"]}';
    const head = lines("GET /v1/jobs/info HTTP/1.1", ...signed, "Content-Length: <length>");
    expect(await send(head, body)).toEqual(fine({ items: [{ name: "two" }] }));
    const query = encodeURIComponent('{"status": ["failed"]}');
    expect(await send(lines(`GET /v1/jobs/count?filters=${query} HTTP/1.1`, ...signed))).toEqual(fine({ count: 1 }));
    const bare = await send(lines("GET /v1/jobs/count?filters=status HTTP/1.1", ...signed));
    expect([bare.status, bare.body.error]).toEqual(["HTTP/1.1 400 Bad Request", "VALIDATION_FAILED"]);
  });

  test("send lists as JSON text", async () => {
    const [ids, fields] = ['["1"]', '["name","status"]'].map(encodeURIComponent);
    const head = lines(`GET /v1/jobs/info?ids=${ids}&fields=${fields} HTTP/1.1`, ...signed);
    expect(await send(head)).toEqual(fine({ items: [{ name: "one", status: "queued" }] }));
  });

  test("create a job with its name and schema in the query", async () => {
    const body = `{"payload": {"elements": [${JSON.stringify(aSource())}]}, "task_retry": {"count": 1, "delay_sec": 5}}`;
    const head = lines("POST /v1/jobs?schema=hybrik&name=from+a+query HTTP/1.1", ...signed, "Content-Length: <length>");
    const { body: made } = await send(head, body);
    const info = lines(`GET /v1/jobs/${made.id}/info?fields=name&fields=status HTTP/1.1`, ...signed);
    expect(await send(info)).toEqual(fine({ name: "from a query", status: "queued" }));
  });

  test("delete a job by a path of their own", async () => {
    const { body: made } = await world.api("POST", "/jobs", { body: aSmallJob() });
    const head = lines(`DELETE /v1/jobs/${made.id}/delete HTTP/1.1`, ...signed, "Content-Length: 0");
    expect(await send(head)).toEqual(fine({ id: made.id }));
  });

  test("made with urllib2 send a body in pieces with the headers in their own case", async () => {
    const body = `{"payload":{"elements":[${JSON.stringify(aSource())}]},"name":"pieces"}`;
    const half = body.length >> 1;
    const piece = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
    const head = lines(
      "POST /v1/jobs HTTP/1.1",
      "Transfer-Encoding: chunked",
      "Connection: close",
      "Host: farm:8700",
      "x-hybrik-sapiauth: <token>",
      "X-hybrik-compliance: 20180101",
      "Authorization: Basic <pair>",
      "Content-type: application/json",
    );
    const pieces = `${piece(body.slice(0, half))}${piece(body.slice(half))}0\r\n\r\n`;
    expect(await send(head, pieces)).toEqual(fine({ id: expect.stringMatching(/^\d+$/) }));
  });
});

test("what deletes all jobs page by page comes to an end", async () => {
  const head = (path: string, ...more: string[]) =>
    lines(
      path,
      "Host: farm",
      "Authorization: Basic <pair>",
      "X-Service-Compliance: 20261101",
      "X-Service-Sapiauth: <token>",
      "Connection: close",
      ...more,
    );
  const page = async () => (await send(head("GET /v1/jobs/info?fields[]=id&order=asc HTTP/1.1"))).body.items;
  for (let items = await page(); items.length > 0; items = await page()) {
    const ids = items.map(({ id }: { id: string }) => id);
    const answer = await send(
      head("DELETE /v1/jobs HTTP/1.1", "Content-Type: application/json", "Content-Length: <length>"),
      JSON.stringify({ ids }),
    );
    expect(answer).toEqual(fine({ items: ids }));
  }
});
