import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { readOtlp } from "../../helpers/farm/otlp.ts";
import { type FarmProcesses, kill, startFarm, until } from "../../helpers/processes/farm-processes.ts";
import { startReceiver } from "../../helpers/processes/receiver.ts";

let farm: FarmProcesses;
let collector: Awaited<ReturnType<typeof startReceiver>>;
let status = 200;
beforeAll(async () => {
  collector = await startReceiver((_request, response) => void response.writeHead(status).end("{}"));
  farm = await startFarm({
    timing: { tickMs: 50, capabilityWaitMs: 600_000 },
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url().replace(/\/$/, ""),
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20key",
      OTEL_SERVICE_NAME: "a studio",
    },
  });
  await farm.startAgent("one");
  writeFileSync(join(farm.media, "clip.txt"), "hello\n");
}, 120_000);
afterAll(async () => {
  await farm?.[Symbol.asyncDispose]();
  await collector?.close();
});

const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
const told = () => collector.received.flatMap(({ body }) => readOtlp(body).spans);
const aCopy = (to: string) => aChain([aFileSource(join(farm.media, "clip.txt")), aCopyTo(join(farm.folder, to))]);

test("a job is told to the collector that the environment names, within its caller's trace, also after a restart", async () => {
  const headers = { traceparent: `00-${traceId}-${spanId}-01` };
  const tags = { task_tags: ["later"] };
  const { id } = await farm.client.createJob({ ...aCopy("one"), ...tags }, { headers });
  await kill(farm.coordinator());
  await farm.restartCoordinator();
  await farm.startAgent("two", ["--tags", "later"]);
  expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
  await until("the trace", async () => told().length > 0);
  const [request] = collector.received;
  expect([request?.method, request?.url, request?.headers["api-key"], request?.headers["content-type"]]).toEqual([
    ...["POST", "/v1/traces", "a key", "application/json"],
  ]);
  expect(readOtlp(request?.body ?? "").resource).toMatchObject({ "service.name": "a studio" });
  const spans = told();
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  const [root] = spans;
  expect([root?.name, root?.parentSpanId, root?.attributes["mediafarm.job.id"]]).toEqual(["job", spanId, id]);
  const attempts = spans.filter(({ name }) => name === "attempt copy");
  expect(
    attempts.map(({ attributes }) => [attributes["mediafarm.attempt.state"], attributes["mediafarm.node.name"]]),
  ).toEqual([["published", "two"]]);
  expect(JSON.stringify(collector.received.map(({ body }) => body))).not.toContain(farm.folder);
});

test("a collector that refuses or is away holds up no job", async () => {
  status = 503;
  const id = await farm.submit({ ...aCopy("two"), task_tags: ["later"] });
  expect(await farm.untilEnded(id)).toMatchObject({ status: "completed" });
  await until("a warning", async () => farm.logged("traces cannot be sent; it is tried again").length > 0);
  await collector.close();
  const again = await farm.submit({ ...aCopy("three"), task_tags: ["later"] });
  expect(await farm.untilEnded(again)).toMatchObject({ status: "completed" });
  expect(farm.errors()).toEqual([]);
});
