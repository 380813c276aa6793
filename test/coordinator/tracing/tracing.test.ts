import { beforeEach, expect, test } from "vitest";
import { grantCommit } from "../../../coordinator/attempts/report.ts";
import { stopJob } from "../../../coordinator/jobs/stop.ts";
import { submitJob } from "../../../coordinator/jobs/submit.ts";
import type { ReadTask } from "../../../coordinator/store/job-reads.ts";
import { unknownSender } from "../../../coordinator/store/rows.ts";
import { mostSpans, traceOf } from "../../../coordinator/tracing/spans.ts";
import { createTracing, mostWaiting, retryMs, type Tracing } from "../../../coordinator/tracing/tracing.ts";
import { Secret } from "../../../shared/basics/secret.ts";
import type { Answer, Question } from "../../../shared/outbound/ask.ts";
import type { TraceSettings } from "../../../shared/outbound/traces.ts";
import { aFailure, aJob, anIntent, aReport, aSmallJob } from "../../helpers/farm/farm.ts";
import { useFarm, withRetry } from "../../helpers/farm/farm-story.ts";
import { readOtlp } from "../../helpers/farm/otlp.ts";

const { world, farm, submit, report, advance, toCopy } = useFarm();

const settings: TraceSettings = {
  url: "http://collector.studio:4318/v1/traces",
  headers: { "x-key": new Secret("a key of the collector") },
  ...{ service: "farm of a test", attributes: { "deployment.environment.name": "test" } },
  ...{ sampler: "parentbased_always_on", ratio: 1 },
};
const about = { version: "1.2.3", host: "machine" };
const taken: Answer = { status: 200, type: "application/json", body: "{}" };
let asked: Question[];
let answer: () => Answer;

const open = (changes: Partial<TraceSettings> = {}): Tracing => {
  const tracing = createTracing({
    ...{ farm: farm(), settings: { ...settings, ...changes }, about },
    ask: async (question) => {
      asked.push(question);
      return answer();
    },
  });
  world().onDecision(tracing.note);
  return tracing;
};
beforeEach(() => {
  asked = [];
  answer = () => taken;
});
const told = () => asked.flatMap(({ body = "" }) => readOtlp(body).spans);
/** `name < parent's name` of each span. */
const shape = () => {
  const spans = told();
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return spans.map(({ name, parentSpanId = "" }) => `${name} < ${names.get(parentSpanId) ?? parentSpanId}`);
};

test("a job is told from its submission to its published outputs, with its attempts", async () => {
  const tracing = open();
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await tracing.send();
  expect(asked).toEqual([]);
  await advance(5_000);
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  await report(node, aReport(copy));
  await tracing.send();
  expect(asked.map(({ method, url, headers, rules }) => [method, url, headers, rules])).toEqual([
    [
      ...["POST", settings.url],
      { "content-type": "application/json", "x-key": "a key of the collector" },
      ["collector.studio:4318"],
    ],
  ]);
  expect(readOtlp(asked[0]?.body ?? "").resource).toEqual({
    ...{ "service.name": "farm of a test", "service.version": "1.2.3", "host.name": "machine" },
    "deployment.environment.name": "test",
  });
  expect(shape()).toEqual([
    ...["job < ", "task source < job", "task copy < job", "attempt source < task source", "attempt copy < task copy"],
  ]);
  const [job, , , , attempt] = told();
  expect(new Set(told().map(({ traceId }) => traceId)).size).toBe(1);
  expect(job?.attributes).toMatchObject({ "mediafarm.job.id": String(jobId), "mediafarm.job.status": "completed" });
  expect(attempt?.attributes).toMatchObject({ "mediafarm.attempt.state": "published", "mediafarm.node.name": "n1" });
  const row = farm().values.peekJob(jobId)?.row ?? (await farm().store.jobs.report(jobId))?.row;
  expect(job?.startTimeUnixNano).toBe(`${row?.creation_time}000000`);
  expect(Number(job?.endTimeUnixNano) - Number(job?.startTimeUnixNano)).toBeGreaterThanOrEqual(5e9);
  expect(tracing.waiting()).toBe(0);
});

test("a large job is told in pieces, between which others have the loop", async () => {
  const pieces: { readonly looks: number; readonly characters: number }[] = [];
  let looks = 0;
  const counted: ReturnType<typeof farm>["timeSlice"] = async (work) => {
    const before = looks;
    const found = work();
    pieces.push({ looks: looks - before, characters: typeof found === "string" ? found.length : 0 });
    return found;
  };
  const node = await world().node();
  const { copy } = await toCopy(node);
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  const found = await farm().store.jobs.report(1);
  if (!found) throw new Error("there is no such job");
  const tasks = Array.from({ length: 500 }, (_, id) => ({
    ...(found.tasks[0] as ReadTask),
    id,
    get kind() {
      looks += 1;
      return "source";
    },
  }));
  const jobs = { ...farm().store.jobs, report: async () => ({ ...found, tasks, row: { ...found.row, end_time: 9 } }) };
  const tracing = createTracing({
    ...{ farm: { ...farm(), timeSlice: counted, store: { ...farm().store, jobs } }, settings, about },
    ask: async (question) => {
      asked.push(question);
      return taken;
    },
  });
  world().onDecision(tracing.note);
  await report(node, aReport(copy));
  await tracing.send();
  expect(told().filter(({ name }) => name.startsWith("task"))).toHaveLength(500);
  // A span asks for its task's kind twice.
  expect(Math.max(...pieces.map((piece) => piece.looks))).toBeLessThanOrEqual(40);
  expect(Math.max(...pieces.map(({ characters }) => characters))).toBeLessThan(10_000);
  expect(looks).toBeGreaterThanOrEqual(1000);
});

test("failed attempts and retries are told, with their cause and without their words", async () => {
  const tracing = open();
  const node = await world().node();
  await submit(withRetry(1, 1));
  const words = "the password is s3cret";
  const failure = (assignment: Parameters<typeof aFailure>[0]) => {
    const made = aFailure(assignment, "source");
    return made.outcome.outcome === "failed"
      ? { ...made, outcome: { ...made.outcome, failure: { ...made.outcome.failure, message: words } } }
      : made;
  };
  await report(node, failure(await node.assigned()));
  await advance(2_000);
  await report(node, failure(await node.assigned()));
  await tracing.send();
  const attempts = told().filter(({ name }) => name.startsWith("attempt"));
  expect(attempts.map(({ attributes, status }) => [attributes["mediafarm.attempt.cause"], status])).toEqual([
    ["source", { code: 2 }],
    ["source", { code: 2 }],
  ]);
  expect(told()[0]?.status).toEqual({ code: 2 });
  expect(JSON.stringify(asked)).not.toContain("s3cret");
});

test("nothing secret of a job is told", async () => {
  const tracing = open();
  const url = "https://ana:pa55word@nas.studio/a?X-Amz-Signature=5ecre7";
  const job = aSmallJob({ name: `from ${url}`, user_tag: url });
  const id = await submit(job);
  await stopJob(farm(), id);
  await tracing.send();
  expect(told()[0]?.attributes["mediafarm.job.name"]).toContain("from https://");
  const text = JSON.stringify(asked.map(({ body }) => body));
  for (const secret of ["pa55word", "5ecre7", "a key of the collector"]) expect(text).not.toContain(secret);
});

test("a caller's trace goes on in the job's, also after a restart, and its decision to tell it holds", async () => {
  const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  const send = async (flags: string) => {
    const traceparent = `00-${traceId}-${spanId}-${flags}`;
    const sender = { ...unknownSender, traceparent };
    const { id } = await submitJob(farm(), aSmallJob(), undefined, { sender, reach: "all" });
    await stopJob(farm(), id);
    return id;
  };
  const tracing = open();
  const id = await send("01");
  await send("00");
  await tracing.send();
  const [root, ...others] = told();
  expect([root?.name, root?.traceId, root?.parentSpanId]).toEqual(["job", traceId, spanId]);
  expect(others.filter(({ name }) => name === "job")).toEqual([]);
  expect((await farm().store.jobs.report(id))?.row.traceparent).toBe(`00-${traceId}-${spanId}-01`);
});

test("a job that was retried is told again, by spans of its own", async () => {
  const report = (end: number) => ({
    row: { ...unknownSender, id: 1, name: "x", creation_time: 1, end_time: end, status: "failed", priority: 100 },
    ...{ tasks: [], attempts: [] },
  });
  const ids = (end: number) => traceOf(report(end) as never).spans.map(({ spanId }) => spanId);
  expect(ids(2)).toEqual(ids(2));
  expect(ids(2)).not.toEqual(ids(3));
});

test("a huge job is told in part, and says so", () => {
  const tasks = Array.from({ length: mostSpans + 5 }, (_, id) => ({
    ...{ job_id: 1, id, kind: "copy", element_uid: "a", purpose: "work", state: "completed", retry_nr: 0, losses: 0 },
    ...{ creation_time: 1, end_time: 2 },
  }));
  const row = { ...unknownSender, id: 1, name: "x", creation_time: 1, end_time: 9, status: "completed", priority: 1 };
  const { spans } = traceOf({ row, tasks, attempts: [] } as never);
  expect([spans.length, spans[0]?.attributes["mediafarm.spans.untold"]]).toEqual([mostSpans + 1, 5]);
});

test("while the collector is away, jobs go on and a bounded number of traces waits", async () => {
  const tracing = open();
  answer = () => {
    throw new Error("connect ECONNREFUSED");
  };
  const id = await submit(aJob());
  await stopJob(farm(), id);
  await tracing.send();
  await tracing.send();
  expect([asked.length, tracing.waiting()]).toEqual([1, 1]);
  const ended = (nr: number) => ({ table: "jobs", key: [nr], before: undefined, after: { id: nr, end_time: 1 } });
  for (let nr = 100; nr < 100 + mostWaiting; nr += 1)
    tracing.note({ changes: [ended(nr)], after: (effect: () => void) => effect() } as never);
  expect(tracing.waiting()).toBe(mostWaiting);
  answer = () => ({ ...taken, status: 503 });
  await advance(retryMs);
  await tracing.send();
  expect([asked.length, tracing.waiting()]).toEqual([2, mostWaiting]);
  answer = () => taken;
  await advance(retryMs);
  await tracing.send();
  expect(tracing.waiting()).toBe(0);
  expect(shape().filter((name) => name === "job < ")).toHaveLength(3);
});

test("what the collector refuses for good is not sent again", async () => {
  const tracing = open();
  answer = () => ({ ...taken, status: 400 });
  await stopJob(farm(), await submit(aJob()));
  await tracing.send();
  expect([asked.length, tracing.waiting()]).toEqual([1, 0]);
});

test("without settings, or by the sampler, nothing is told", async () => {
  const off = createTracing({ farm: farm(), settings: undefined, ask: async () => taken, about });
  const never = open({ sampler: "always_off" });
  world().onDecision(off.note);
  await stopJob(farm(), await submit(aJob()));
  await off.send();
  await never.send();
  expect([asked, never.waiting()]).toEqual([[], 0]);
});
