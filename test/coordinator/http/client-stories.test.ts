import { beforeAll, describe, expect, test } from "vitest";
import { openTestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aJob, aSmallJob } from "../../helpers/farm/farm.ts";
import { strictResult } from "../../helpers/farm/strict-result.ts";
import { aWorldPerFile } from "../../helpers/farm/worlds.ts";
import { lines, rawSender } from "../../helpers/processes/raw-http.ts";

/** What the Go SDK and its users do with a job from its submission to its end, and with presets; byte for byte. */
const world = aWorldPerFile({ open: openTestCoordinator, close: ({ coordinator }) => coordinator.close() });
const send = rawSender(world);

const headers = [
  "Host: farm:8700",
  "User-Agent: Go-http-client/1.1",
  "Authorization: Basic <pair>",
  "X-Hybrik-Compliance: 20170601",
];
const after = ["X-Hybrik-Sapiauth: <token>", "Accept-Encoding: gzip"];
const close = "Connection: close";
const get = (path: string) => lines(`GET /v1${path} HTTP/1.1`, ...headers, ...after, close);
const post = (path: string) =>
  lines(
    ...[`POST /v1${path} HTTP/1.1`, ...headers.slice(0, 2), "Content-Length: <length>", ...headers.slice(2)],
    ...["Content-Type: application/json", ...after, close],
  );
const infoOf = (id: number) =>
  get(
    `/jobs/${id}/info?${["id", "name", "progress", "status", "start_time", "end_time"].map((each) => `fields%5B%5D=${each}`).join("&")}`,
  );

const ok = "HTTP/1.1 200 OK";
const answerOf = async (head: string, body?: string) => {
  const { status, text } = await send(head, body);
  return [status, text];
};

describe("a job's life", () => {
  beforeAll(async () => {
    await world().api("POST", "/jobs", { body: aJob({ name: "one", schema: "api_test" }) });
  });

  test("is polled with times that are null until they are", async () => {
    expect(await answerOf(infoOf(1))).toEqual([
      ok,
      '{"id":"1","name":"one","progress":0,"status":"queued","start_time":null,"end_time":null}',
    ]);
    for (let second = 0; second < 3; second += 1) await world().clock.advance(1000);
    expect(await answerOf(infoOf(1))).toEqual([
      ok,
      '{"id":"1","name":"one","progress":22,"status":"active","start_time":"2026-11-01T00:00:01.000Z","end_time":null}',
    ]);
    for (let second = 0; second < 7; second += 1) await world().clock.advance(1000);
    expect(await answerOf(infoOf(1))).toEqual([
      ok,
      '{"id":"1","name":"one","progress":100,"status":"completed","start_time":"2026-11-01T00:00:01.000Z","end_time":"2026-11-01T00:00:08.000Z"}',
    ]);
  });

  test("has a result that fixed types can hold as soon as it has ended", async () => {
    const { status, body } = await send(get("/jobs/1/result"));
    const { errors, job, tasks } = strictResult.parse(body);
    expect([status, errors, job.id, job.status, tasks.map(({ kind, status: each }) => `${kind} ${each}`)]).toEqual([
      ok,
      [],
      1,
      "completed",
      ["Source completed", "Copy completed"],
    ]);
  });

  test("that was stopped has errors in its result at once", async () => {
    await world().api("POST", "/jobs", { body: aSmallJob({ name: "two" }) });
    const stop = lines("PUT /v1/jobs/2/stop HTTP/1.1", ...headers, "Content-Length: 0", ...after, close);
    expect(await answerOf(stop)).toEqual([ok, '{"id":"2"}']);
    const { body } = await send(get("/jobs/2/result"));
    const { errors, job } = strictResult.parse(body);
    expect([job.status, errors.map(({ message }) => message)]).toEqual([
      "failed",
      ["The job was stopped by command line"],
    ]);
  });

  test("is told with its definition, and its tasks without any fields", async () => {
    const { body } = await send(get("/jobs/1/definition"));
    expect(body).toEqual({ priority: 100, ...aJob({ name: "one", schema: "api_test" }) });
    expect(await answerOf(get("/jobs/1/tasks"))).toEqual([ok, '{"items":[{"id":"1"},{"id":"2"}]}']);
  });

  test("that is not there is refused in words that the client passes on", async () => {
    expect(await answerOf(get("/jobs/404/info"))).toEqual([
      "HTTP/1.1 404 Not Found",
      '{"success":false,"error":"NOT_FOUND","message":"There is no job 404","details":[]}',
    ]);
  });
});

describe("presets", () => {
  const preset = '{"key":"web/hd","name":"HD","description":"","kind":"transcode","path":"","payload":{"targets":[]}}';

  test("are made, read and deleted, with success as a text", async () => {
    expect(await answerOf(post("/presets"), preset)).toEqual([
      ok,
      '{"success":"true","message":"Preset \\"web/hd\\" is stored"}',
    ]);
    expect(await answerOf(get("/presets/web%2Fhd"))).toEqual([ok, preset]);
    const remove = lines("DELETE /v1/presets/web%2Fhd HTTP/1.1", ...headers, ...after, close);
    expect(await answerOf(remove)).toEqual([ok, '{"success":"true","message":"Preset \\"web/hd\\" is deleted"}']);
    expect(await answerOf(get("/presets/web%2Fhd"))).toEqual([
      "HTTP/1.1 404 Not Found",
      '{"success":"false","error":"NOT_FOUND","message":"There is no preset \\"web/hd\\"","details":[]}',
    ]);
  });
});

test("one connection carries several requests, one behind the other", async () => {
  const first = lines("GET /v1/jobs/count HTTP/1.1", ...headers, ...after);
  const { whole } = await send(first + get("/jobs/count"));
  expect(whole.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  expect(whole.match(/\{"count":2\}/g)).toHaveLength(2);
});

test("a token that ended is refused with the status that makes a client log in again", async () => {
  await world().clock.advance(30 * 60_000);
  expect(await answerOf(get("/jobs/1/info"))).toEqual([
    "HTTP/1.1 401 Unauthorized",
    '{"success":false,"error":"NOT_AUTHENTICATED","message":"The token has expired; log in again","details":[]}',
  ]);
});
