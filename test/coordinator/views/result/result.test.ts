import { describe, expect, test } from "vitest";
import { grantCommit } from "../../../../coordinator/attempts/report.ts";
import { takeMessage } from "../../../../coordinator/connections/messages.ts";
import { stopJob } from "../../../../coordinator/jobs/stop.ts";
import { buildTaskInfo } from "../../../../coordinator/views/job-info.ts";
import { jobView } from "../../../../coordinator/views/job-view.ts";
import { jobResult } from "../../../../coordinator/views/result/result.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";
import { aFailure, anIntent, aReport, aSmallJob, aSource } from "../../../helpers/farm/farm.ts";
import { useFarm, withRetry } from "../../../helpers/farm/farm-story.ts";
import { stored } from "../../../helpers/farm/stored.ts";

const { world, farm, submit, report, advance, pass, toCopy } = useFarm();

/** As a client reads it: what is undefined does not exist. */
const resultOf = async (id: number) => {
  const job = await farm().store.jobs.report(id);
  if (!job) throw new Error("there is no such job");
  return JSON.parse(JSON.stringify(await jobResult(farm(), job, "person 1")));
};

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const aTime = expect.stringMatching(time);

/** The paths of numbers that are no whole ones, of texts that should be times, and of times that are none. */
const oddValues = (value: unknown, path = ""): string[] => {
  if (Array.isArray(value)) return value.flatMap((item) => oddValues(item, `${path}[]`));
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([key, part]) => oddValues(part, `${path}.${key}`));
  }
  const name = path.split(".").at(-1) ?? "";
  if (/_time$|^(assigned|completed|started|last_|first_started|result_committed|mtime)/.test(name)) {
    return value === null || (typeof value === "string" && time.test(value)) ? [] : [path];
  }
  return typeof value === "number" && !Number.isInteger(value) ? [path] : [];
};

test("a job that waits has a result of the same shape", async () => {
  const id = await submit();
  expect(await resultOf(id)).toEqual({
    errors: [],
    job: {
      ...{ id, job_class: 0, is_api_job: 1, priority: 100, creation_time: aTime, expiration_time: null },
      ...{
        hint_active_time_sec: 0,
        hint_machine_time_sec: 0,
        last_times_updated: aTime,
        subscription_key: expect.stringMatching(/^\d+\.[\w-]+\.[\w-]{43}$/),
      },
      ...{ flags: 0, user_tag: null, status: "queued", substatus: "waiting", render_status: "queued", task_count: 1 },
      ...{ progress: 0, name: "a job", first_started: null, last_completed: null, warnings: [] },
    },
    tasks: [
      {
        ...{ id: 1, priority: 100, retry_nr: 0, retry_nr_aog: 0, max_retry_count_aog: 10, creation_time: aTime },
        ...{ hint_name: "a job - src", related_asset_id: null, kind: "Source", name: "a job - src", retry_count: 0 },
        ...{ uid: "src", element_name: "src", status: "queued", fetcher_id: null, assigned: null, completed: null },
        config: { uid: "src", kind: "source", name: "a job - src", payload: aSource().payload },
        documents: [],
      },
    ],
  });
});

const noEstimates = async () => ({ jobs: new Map(), turns: new Map(), empty: null, unknown: 0, blocked: 0 });

test("a job that runs shows who has it and since when", async () => {
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await takeMessage(farm(), node.id, { type: "progress", fence: copy.fence, progress: { percent: 50 } });
  const { job, tasks } = await resultOf(jobId);
  expect(job).toMatchObject({ status: "active", render_status: "active", progress: 66, last_completed: null });
  expect(tasks[1]).toMatchObject({ status: "running", fetcher_id: node.id, assigned: aTime, completed: null });
  expect(tasks[1].documents[0].result_payload.payload.asset_versions).toEqual([]);
});

test("what the storage of a target could not promise is said of its task, in words", async () => {
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  const { outcome } = aReport(copy);
  if (outcome.outcome !== "published") throw new Error("it went well");
  const published = { ...outcome.published, weaker: ["may_overwrite" as const] };
  await report(node, aReport(copy, { outcome: { outcome: "published", published } }));
  const said = "Weaker guarantee: a file created under the same name at the last moment would have been overwritten";
  const [source, copied] = (await resultOf(jobId)).tasks;
  expect([source.warnings, copied.warnings]).toEqual([undefined, [said]]);
  expect(
    stored(farm())
      .tasks(jobId)
      .map((row) => buildTaskInfo(row, farm().progress).warnings),
  ).toEqual([undefined, [said]]);
  const job = await farm().store.jobs.report(jobId);
  expect(job && (await jobView(farm(), job.row, { skip: 0, take: 10 }, noEstimates)).warnings).toEqual([
    `a job - copy: ${said}`,
  ]);
});

test("a finished job names its files, their media, the machine and what it cost", async () => {
  const node = await world().node();
  const { jobId, copy } = await toCopy(node);
  await grantCommit(farm(), node.id, copy.fence, anIntent(copy));
  await advance(2_500);
  const [id = ""] = Object.keys(copy.work.outputs);
  const facts: MediaFacts = {
    ...{ format: "mov", size: 1000, duration: ratio(5, 2), bitRate: 3200, audio: [], others: [] },
    video: [{ index: 0, codec: "h264", timeBase: ratio(1, 600), width: 720, height: 576, pixelAspect: ratio(16, 15) }],
  };
  const outputs = { [id]: [{ uri: "file:///out/in.mov", size: 1000, modified: 12_345.678, facts }] };
  const outcome = { outcome: "published", published: { outputs, found: {} } } as const;
  const stats = { wallMs: 2000.4, cpuMs: 1000.2, peakMemory: 10_000_000 };
  await report(node, aReport(copy, { outcome, stats }));

  const result = await resultOf(jobId);
  const info =
    ".tasks[].documents[].result_payload.payload.asset_versions[].asset_components[].media_analyze.media_info[]";
  expect(oddValues(result)).toEqual([`${info}.duration`, `${info}.VIDEO.display_ar`]);
  expect(result.job).toMatchObject({ hint_active_time_sec: 3, hint_machine_time_sec: 2, last_completed: aTime });
  const [document] = result.tasks[1].documents;
  expect(document.result_payload.payload).toMatchObject({
    creator_uid: "copy",
    asset_versions: [
      {
        location: { storage_provider: "file", path: "/out" },
        asset_descriptor: {
          hls_mime: "avc1.64001f",
          video: { hls_mime: "avc1.64001f", width: 720, height: 576 },
          avg_bitrate_bps: 3200,
        },
        asset_components: [
          {
            ...{ kind: "name", name: "in.mov", component_uid: "asset_0" },
            descriptor: {
              size: 1000,
              mtime: "1970-01-01T00:00:12.346Z",
              checked: expect.any(Number),
              provider: "file",
            },
          },
        ],
      },
    ],
  });
  expect(document.result_extended_payload).toMatchObject({
    sources: [{ asset_versions: [{ asset_components: [{ name: "in.mov", location: { path: "/media" } }] }] }],
    logs: {
      history: [
        {
          ...{ task: "copy", started: aTime, completed: aTime, state: "published" },
          details: { machine_id: node.id, machine_name: "n1", sys_cpu_count: 2, sys_mem_mb: 954 },
          stats: { wall_ms: 2000, cpu_ms: 1000, avg_cpu_load: 25, sys_mem_used_mb: { max: 10 } },
        },
      ],
    },
  });
});

describe("errors", () => {
  test("that a retry made good stay listed as recoverable, the last one is not", async () => {
    const node = await world().node();
    const id = await submit(withRetry(1));
    await report(node, aFailure(await node.assigned()));
    await pass(node, 70);
    await report(node, aFailure(await node.assigned(), "media"));
    const { errors, job } = await resultOf(id);
    expect(job).toMatchObject({ status: "failed" });
    const common = { task_instance_id: 1, machine_fetcher_id: node.id, cause: "media", assigned: aTime };
    expect(errors).toMatchObject([
      { ...common, retry_nr: 0, recoverable_error: 1, result_define: "SYS_TSK_FFMPEG_ERROR", message: "media broke" },
      { ...common, retry_nr: 1, recoverable_error: 0, result_committed: aTime },
    ]);
  });

  test("name what could not be planned", async () => {
    const id = await submit(aSmallJob({ payload: { elements: [{ uid: "n", kind: "dolby_vision", payload: {} }] } }));
    expect((await resultOf(id)).errors).toMatchObject([
      {
        ...{ result_define: "SYS_TSK_CAPABILITY_ERROR", recoverable_error: 0, assigned: null },
        message: `n: elements of kind "dolby_vision" need Dolby's licensed Dolby Vision tools, which this farm does not have`,
      },
    ]);
  });

  test("tell of a stop", async () => {
    const node = await world().node();
    const { jobId } = await toCopy(node);
    await stopJob(farm(), jobId);
    expect((await resultOf(jobId)).errors).toMatchObject([
      { result_define: "SYS_TSK_CANCELLED", message: "The job was stopped", recoverable_error: 0 },
    ]);
  });
});

test("what opens storage is not shown", async () => {
  const access = { username: "u", password: "hush" };
  const payload = { kind: "asset_url", payload: { storage_provider: "ftp", url: "ftp://h/in.mov", access } };
  const id = await submit(aSmallJob({ payload: { elements: [aSource({ payload })] } }));
  expect(JSON.stringify(await resultOf(id))).not.toContain("hush");
});

test("a job of schema api_test has a result like any other", async () => {
  const id = await submit(aSmallJob({ schema: "api_test", api_test: { queued_sec: 0, running_sec: 1 } }));
  await advance(0);
  await advance(1000);
  const result = await resultOf(id);
  expect(oddValues(result)).toEqual([]);
  expect(result).toMatchObject({
    errors: [],
    job: { status: "completed", task_count: 1, progress: 100 },
    tasks: [{ kind: "Source", status: "completed", assigned: aTime, completed: aTime, fetcher_id: null }],
  });
  expect(result.tasks[0].documents[0].result_payload.payload.asset_versions).toEqual([]);
});
