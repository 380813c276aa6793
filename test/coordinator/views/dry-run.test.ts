import { expect, test } from "vitest";
import { takeReport } from "../../../coordinator/attempts/report.ts";
import { type JobSender, unknownSender } from "../../../coordinator/store/rows.ts";
import { dryRun } from "../../../coordinator/views/dry-run.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import type { Reach } from "../../../shared/rights/reach.ts";
import { aConnection, aCopy, aReport, aSource, openTestFarm } from "../../helpers/farm/farm.ts";
import { stored } from "../../helpers/farm/stored.ts";
import { submitJob } from "../../helpers/farm/submit-job.ts";
import { aWorldPerTest } from "../../helpers/farm/worlds.ts";

const world = aWorldPerTest({
  open: async (folder) => {
    const farm = await openTestFarm(folder);
    return { ...farm, machine: await farm.node() };
  },
  close: ({ close }) => close(),
});

const facts: MediaFacts = {
  ...{ format: "mov", start: ratio(0), duration: ratio(30), size: 1000, others: [], audio: [] },
  video: [
    {
      ...{ index: 0, codec: "h264", timeBase: ratio(1, 12288), start: ratio(0), duration: ratio(30), width: 1920 },
      ...{ height: 1080, pixelFormat: "yuv420p", frameRate: ratio(24), averageFrameRate: ratio(24), frames: 720 },
      ...{ pixelAspect: ratio(1), fieldOrder: "progressive" },
    },
  ],
};

const target = (name: string) => ({
  ...{ location: { path: "/media/out" }, file_pattern: name, container: { kind: "mp4" } },
  video: { codec: "h264", width: 320, height: 180 },
});
const aTranscode = (...names: string[]) => ({
  ...{ uid: "tc", kind: "transcode", payload: { targets: names.map(target) } },
});
const trial = (job: Record<string, unknown>, reach: Reach = "all") =>
  dryRun(world().farm, job, { ofJob: async () => null }, { sender: unknownSender, reach });
const job = (elements: object[], ...connections: object[]) => ({ name: "a job", payload: { elements, connections } });

/** A node probes the source of a job, so that the farm keeps its facts. */
const probeSource = async (body: Record<string, unknown>, sender: JobSender = unknownSender): Promise<number> => {
  const { farm, machine } = world();
  const id = await submitJob(farm, body, undefined, { sender, reach: "all" });
  const probe = await machine.assigned();
  const file = { uri: probe.work.assets["0"]?.uri ?? "", size: 1000, modified: 5, facts };
  const found = { probe_0: { unchanged: false, tool: "probe-1", file } };
  await takeReport(
    farm,
    machine.id,
    aReport(probe, { outcome: { outcome: "published", published: { outputs: {}, found } } }),
  );
  return id;
};

test("a dry run plans the tasks that the job gets when it is sent", async () => {
  const body = job([aSource(), aTranscode("a.mp4", "b.mp4")], aConnection("src", ["tc"]));
  const tasks = stored(world().farm)
    .tasks(await probeSource(body))
    .filter(({ purpose }) => purpose === "work");
  const { elements } = await trial(body);
  expect(elements.map(({ plan }) => plan)).toEqual(["planned", "planned"]);
  expect(tasks.length).toBeGreaterThan(0);
  expect(elements[1]?.tasks.map(({ name, requires }) => ({ name, requires }))).toEqual(
    tasks.map(({ name, requires }) => ({ name, requires })),
  );
  expect(elements[1]?.tasks.flatMap(({ outputs }) => outputs)).toEqual([
    "file:///media/out/a.mp4",
    "file:///media/out/b.mp4",
  ]);
});

test("a dry run leaves nothing behind, and the next job has the next id", async () => {
  const body = job([aSource(), aTranscode("a.mp4")], aConnection("src", ["tc"]));
  const first = await probeSource(body);
  const before = stored(world().farm).tasks(first);
  await trial(body);
  await trial(body);
  expect(world().farm.values.peekJob(first + 1)).toBeUndefined();
  expect(stored(world().farm).tasks(first)).toEqual(before);
  expect(await submitJob(world().farm, body)).toBe(first + 1);
});

test("a dry run says which files are probed first, and where only a failure leads", async () => {
  const elements = [aSource(), aTranscode("a.mp4"), { ...aCopy(), uid: "rejected" }];
  const body = job(elements, aConnection("src", ["tc"]), aConnection("tc", [], ["rejected"]));
  const plan = await trial(body);
  expect(plan.elements.map(({ uid, plan, needs }) => ({ uid, plan, needs }))).toEqual([
    { uid: "src", plan: "facts", needs: ["file:///media/in.mov"] },
    { uid: "tc", plan: "later", needs: [] },
    { uid: "rejected", plan: "on_error", needs: [] },
  ]);
});

test("a dry run refuses what planning refuses, with its cause", async () => {
  const body = job(
    [aSource(), { ...aTranscode("a.mp4"), payload: { targets: [{ file_pattern: "a.mp4" }] } }],
    aConnection("src", ["tc"]),
  );
  await probeSource(body);
  const { elements, finish } = await trial(body);
  expect(elements[1]).toMatchObject({ plan: "refused", cause: "definition", tasks: [] });
  expect(finish).toBeNull();
});

test("a dry run tells of a file on a server only what was found for jobs that its sender reaches", async () => {
  const access = { username: "u", password: "only hers" };
  const place = { storage_provider: "sftp", url: "sftp://host/secret.mov" };
  const source = (more: object) => ({
    uid: "src",
    kind: "source",
    payload: { kind: "asset_url", payload: { ...place, ...more } },
  });
  const body = (more: object) => job([source(more), aTranscode("a.mp4")], aConnection("src", ["tc"]));
  const hers = { ...unknownSender, owner_id: "api user 7", owner_group: "studio" };
  await probeSource(body({ access }), hers);
  const plansFor = async (reach: Reach) =>
    (await trial(body({}), reach)).elements.map(({ plan, needs }) => [plan, needs]);
  const known = [
    ["planned", []],
    ["planned", []],
  ];
  const unknown = [
    ["facts", ["sftp://host/secret.mov"]],
    ["later", []],
  ];
  expect(await plansFor({ field: "owner_id", value: "api user 8" })).toEqual(unknown);
  expect(await plansFor({ field: "owner_group", value: "far" })).toEqual(unknown);
  expect(await plansFor({ field: "owner_id", value: "api user 7" })).toEqual(known);
  expect(await plansFor({ field: "owner_group", value: "studio" })).toEqual(known);
  expect(await plansFor("all")).toEqual(known);
});

test("a dry run of a large job plans a part of it and says so: nothing interrupts a decision", async () => {
  const { warnings, elements } = await trial(
    job(Array.from({ length: 150 }, (_, nr) => ({ ...aSource(), uid: `src${nr}` }))),
  );
  expect(elements.filter(({ plan }) => plan === "later")).toHaveLength(50);
  expect(warnings).toContain("A dry run plans 100 elements at most");
});
