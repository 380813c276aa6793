import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { createRun } from "../../../agent/process/run.ts";
import { measureAbilities } from "../../../agent/tools/abilities.ts";
import { coordinatorConfig } from "../../../coordinator/config.ts";
import { startCoordinator } from "../../../coordinator/coordinator.ts";
import { submitJob } from "../../../coordinator/jobs/submit.ts";
import type { JobSender } from "../../../coordinator/store/rows.ts";
import { type Client, createClient } from "../../../shared/api/client.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { webhookEventNames } from "../../../shared/outbound/webhooks.ts";
import type { AuditAction } from "../../../shared/people/audit.ts";
import type { Assignment, Tools } from "../../../shared/protocol/messages.ts";
import { nobodys } from "../../../shared/rights/reach.ts";
import { createTestClock, type TestClock } from "../../helpers/clock.ts";
import { aChain, aFileSource, anMp4Target, aTranscodeTo, type Job } from "../../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { startProgram } from "../../helpers/processes/farm-processes.ts";
import { computers, groups } from "./computers.ts";
import { aBatch, aDelivery, aLargeDelivery, aWatchedFolder, aWideJob, someFacts } from "./made-jobs.ts";
import { type Fate, type MadeComputer, startMadeNode } from "./made-node.ts";

const hour = 3_600_000;
const hours = 12;

/** Who sent the jobs. */
const owners = ["Mira O.", "Ana K.", "Jonas W.", "Lea B.", "archive"];

type RichFarmChoices = {
  /** Called as soon as pages can be opened; the history comes in afterwards. */
  readonly onOpen?: (open: { readonly url: string; readonly firstSignInUrl: string }) => void;
};

/**
 * A farm with a history of twelve hours in a minute: 24 made computers in every state over the real protocol, jobs in every
 * state, and one real agent with media that can be played. Its clock goes on as the real one does.
 */
export const startRichFarm = async ({ onOpen }: RichFarmChoices = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-pictures-"));
  const [data, media] = [join(folder, "farm"), join(folder, "media")];
  mkdirSync(media);
  const end = Date.now();
  const clock = createTestClock(end - hours * hour);
  const config = coordinatorConfig.parse({
    ...{ dataDir: data, port: 0, tickMs: 5000, lateMs: 150_000, lostMs: 40 * 60_000, capabilityWaitMs: 30 * 60_000 },
    tokenMs: 48 * hour,
    doors: { restMs: 0 }, // the clock is moved by hand: callers would rest for long
  });
  const coordinator = await startCoordinator(config, { clock, random: Math.random, log: pino({ level: "silent" }) });
  const secrets = coordinator.firstCredentials;
  if (!secrets) throw new Error("the folder was used before");
  const addresses = { url: coordinator.dashboardUrl, firstSignInUrl: coordinator.firstSignInUrl ?? "" };
  onOpen?.(addresses);
  const client = createClient({ baseUrl: coordinator.baseUrl, ...secrets });
  const random = seeded(7);
  const shared = { joinToken: coordinator.joinToken, clock, end, random, factsOf: someFacts, tools: await someTools() };
  const fateOf = (assignment: Assignment, computer: MadeComputer) =>
    fate(assignment, computer, clock.now(), end, random);
  const nodes = computers.map((computer) => startMadeNode({ ...shared, computer, fateOf }));

  /** Moves the farm's time on by minutes; what its nodes and it say to one another gets its turn. */
  const pass = async (minutes: number, stepMs = 60_000): Promise<void> => {
    for (let left = minutes * 60_000; left > 0; left -= stepMs) {
      for (const node of nodes) node.beat();
      await clock.advance(Math.min(stepMs, left));
      await pause(4);
    }
  };
  const submit = async (job: Job): Promise<string> => {
    const owner = owners[job.name.length % owners.length] ?? null;
    const sender: JobSender = { ...nobodys, owner, origin: "pages", parent_id: null, traceparent: null };
    return String((await submitJob(coordinator.farm, { ...job }, undefined, { sender, reach: "all" })).id);
  };
  const note = (who: string, action: AuditAction, of: { job?: string; node?: string }, text: string | null = null) =>
    coordinator.farm.store.audit.add([
      {
        at: clock.now(),
        who,
        action,
        jobId: of.job ? Number(of.job) : null,
        nodeId: of.node ? Number(of.node) : null,
        note: text,
      },
    ]);

  while ((await client.listNodes({})).items.length < computers.length) await pause(50);
  for (const { name } of groups) await client.putComputeGroup({ name, provided_tags: [], mandatory_tags: [] });
  const idOf = new Map((await client.listNodes({})).items.map(({ name, id }) => [name, id]));
  for (const { name, members } of groups)
    for (const member of members) await client.updateNode({ node_id: idOf.get(member) ?? "", group: name });
  await client.setLimits({
    items: [
      { tag: "s3-upload", most: 3 },
      { tag: "j2k", most: 5 },
    ],
  });

  await hearOf(client);
  const scene = { client, clock, end, pass, submit, note, idOf };
  await livePast(scene);
  const jobs = await beginPresent(scene);

  // From here on it is as late as it is outside.
  let isMoving = false;
  const follow = setInterval(() => {
    if (isMoving || clock.now() >= Date.now()) return;
    isMoving = true;
    void clock.advance(Date.now() - clock.now()).finally(() => {
      isMoving = false;
    });
  }, 200);
  const tell = setInterval(() => {
    for (const node of nodes) {
      node.beat();
      node.tellProgress();
    }
  }, 2000);

  const agent = startProgram(
    join(import.meta.dirname, "../../../agent/main.ts"),
    [
      "--json",
      "--name",
      "ingest-01",
      "--slots",
      "2",
      "--root",
      folder,
      "--data",
      join(folder, "agent"),
      "--tags",
      "real",
    ],
    { ...process.env, XDG_CONFIG_HOME: join(folder, "config"), MEDIAFARM_JOIN_TOKEN: coordinator.joinToken },
  );
  await agent.firstLine;
  const played = await submit(await aRealJob(media, join(folder, "out")));
  for (let left = 600; left > 0; left -= 1) {
    const { status } = await client.getJobInfo({ job_id: played, fields: ["status"] });
    if (status === "completed" || status === "failed") break;
    await pause(200);
  }
  for (const node of nodes) node.tellProgress();

  return {
    ...addresses,
    client,
    jobs: { ...jobs, played },
    nodes: idOf,
    [Symbol.asyncDispose]: async () => {
      clearInterval(follow);
      clearInterval(tell);
      agent.child.kill("SIGKILL");
      for (const node of nodes) node.close();
      await coordinator.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

type Scene = {
  readonly client: Client;
  readonly clock: TestClock;
  readonly end: number;
  readonly pass: (minutes: number, stepMs?: number) => Promise<void>;
  readonly submit: (job: Job) => Promise<string>;
  readonly note: (
    who: string,
    action: AuditAction,
    of: { readonly job?: string; readonly node?: string },
    text?: string | null,
  ) => Promise<void>;
  readonly idOf: ReadonlyMap<string, string>;
};

/** Programs that are told of what happens; nobody answers there. */
const hearOf = async (client: Client): Promise<void> => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const to = (host: string) => `https://${host}.example/hooks/mediafarm`;
  await client.createWebhook({
    ...{ name: "archive-import", url: to("archive.studio"), secret, tags: ["delivery"], users: ["Ana K."] },
    events: ["job.completed", "outputs.published"],
  });
  await client.createWebhook({
    ...{ name: "production-chat", url: to("chat.studio"), secret, events: [...webhookEventNames] },
  });
};

/** A job every twenty minutes or so, and what people did to them and to nodes. */
const livePast = async ({ client, pass, submit, note, idOf }: Scene): Promise<void> => {
  const titles = ["NORTHLINE", "FERRYMAN", "COLD HARBOUR", "PAPER LANTERNS", "HARROW LANE", "KITE COUNTY"];
  const people = ["Ana K.", "Lea B.", "Mira O.", "Jonas W.", "Ines D."];
  for (let nr = 0; nr < 37; nr += 1) {
    const title = titles[nr % titles.length] ?? "";
    const slug = `${title.toLowerCase().replaceAll(" ", "-")}-${100 + nr}`;
    const tag = `${slug.slice(0, 3)}-${100 + nr}`;
    const job = await submit(
      nr % 3 === 0
        ? aDelivery(`${title} ${100 + nr} web versions`, slug, 3 + (nr % 4), { user_tag: tag })
        : aBatch(`${title} ${100 + nr} ProRes proxies`, slug, 12 + ((nr * 7) % 30), { user_tag: tag }),
    );
    const who = people[nr % people.length] ?? "";
    if (nr % 9 === 4) {
      await client.updateJob({ job_id: job, priority: 120 });
      await note(who, "priority", { job }, null);
    }
    await pass(17.5);
  }
  const stopped = await submit(aBatch("NORTHLINE 206 IMF to ProRes 4444", "northline-206", 10));
  await submit(aBatch("KITE COUNTY rushes A021 H.264 dailies", "cut-short-a021", 21, { user_tag: "a021" }));
  await submit(aBatch("FERRYMAN subtitle burn-in", "no-font-ferryman", 3));
  await submit(aBatch("ARCHIVE Betacam batch 11 ProRes HQ", "decode-errors-b11", 40, { priority: 40 }));
  await pass(12);
  await client.stopJob({ job_id: stopped });
  await note("Mira", "stop", { job: stopped }, "wrong CPL");
  await client.updateNode({ node_id: idOf.get("rack-04") ?? "", state: "drain", note: "memory upgrade at 15:00" });
  await note("Jonas", "drain", { node: idOf.get("rack-04") }, "memory upgrade at 15:00");
};

/** What runs, waits and is held now. */
const beginPresent = async ({ client, clock, end, pass, submit, note, idOf }: Scene) => {
  await submit(aDelivery("HARROW LANE trailer 9:16, 1:1, 16:9", "harrow-lane-trailer", 8, { priority: 90 }));
  await submit(aWatchedFolder("Newsdesk ingest", "news"));
  await submit(aBatch("ARCHIVE Betacam batch 12 ProRes HQ", "archive-b12", 400, { priority: 40, user_tag: "archive" }));
  await submit(aBatch("KITE COUNTY 105 HLS + DASH ladder", "kite-county-105", 39, { priority: 120 }));
  await pass(6);
  await client.updateNode({ node_id: idOf.get("edit-08") ?? "", state: "paused", note: "by owner to 18:00" });
  await note("Ines", "pause_node", { node: idOf.get("edit-08") }, "by owner to 18:00");
  await submit(aBatch("THE GLASS ORCHARD 103 ProRes proxies", "glass-orchard-103", 15, { priority: 130 }));
  await submit(aBatch("SALTMARSH R4 J2K MXF 4K 24p", "saltmarsh-r4", 144, { priority: 110, task_tags: ["j2k"] }));
  await submit(
    aBatch("COLD HARBOUR 302 Loudness R128 fix", "retry-cold-harbour", 17, {
      priority: 150,
      task_retry: { count: 3, delay_sec: 900 },
    }),
  );
  const waiting = await submit(
    aBatch("NORTHLINE 208 UHD HDR10 HEVC v1", "northline-208", 56, {
      task_tags: ["nvenc", "uhd"],
      user_tag: "nln-208",
    }),
  );
  const wide = await submit(aWideJob("PAPER LANTERNS 110 thirty deliveries", "paper-lanterns-110", { priority: 135 }));
  await submit(aBatch("ARCHIVE SDR regrade 7", "regrade-7", 24, { task_tags: ["resolve"] }));
  const tonight = new Date(end + 6 * hour).toISOString();
  await submit(aBatch("NORTHLINE 209 UHD HDR10 HEVC v1", "northline-209", 56, { start_after: tonight }));
  await submit(
    aBatch("KITE COUNTY 106 HLS + DASH ladder", "kite-county-106", 39, { start_after: tonight, priority: 120 }),
  );
  const held = await submit(aBatch("HARROW LANE social 12 versions", "harrow-lane-social", 48, { priority: 90 }));
  await client.pauseJob({ job_id: held });
  await note("Jonas", "pause", { job: held }, "new end card comes");
  await submit(aBatch("SALTMARSH R5 J2K MXF 4K 24p", "saltmarsh-r5", 144, { paused: true, priority: 110 }));
  await pass(Math.max(0, (end - clock.now()) / 60_000 - 14));
  const running = await submit(
    aLargeDelivery("NORTHLINE 207 UHD HDR10 HEVC v3", "northline-207", 66, { priority: 140, user_tag: "nln-207-uhd" }),
  );
  await pass(Math.max(0, (end - clock.now()) / 60_000), 15_000);
  return { running, waiting, wide, held };
};

export type RichFarm = Awaited<ReturnType<typeof startRichFarm>>;

/** Measured, checked and made on a real node: charts, verdicts, stills and a player have something to show. */
const aRealJob = async (media: string, out: string): Promise<Job> => {
  const scene = "gradients=size=640x360:rate=25:duration=12:n=5:speed=0.03:seed=4";
  const path = await make(
    join(media, "FERRYMAN_v5.mp4"),
    ...["-f", "lavfi", "-i", scene, "-f", "lavfi", "-i", "sine=frequency=330:duration=12:r=48000"],
    ...["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac"],
  );
  const deep = { video: { black: { duration_sec: 0.5 } }, audio: [{ silence: { duration_sec: 1 }, ebur128: {} }] };
  const measure = { uid: "measure", kind: "analyze", payload: { deep_properties: deep } };
  const conditions = ["deep_properties.audio[0].ebur128.integrated_lufs < -16", "source.video.length == 1"];
  const judge = {
    ...{ uid: "check", kind: "qc" },
    payload: { tests: [{ name: "delivery", conditions: conditions.map((condition) => ({ condition })) }] },
  };
  const targets = [
    anMp4Target({ video: { codec: "h264", width: 640, height: 360, preset: "ultrafast", bitrate_kb: 900 } }),
    anMp4Target({
      ...{ file_pattern: "{source_basename}_master.mov", container: { kind: "mov" } },
      ...{ video: { codec: "prores", profile: "apco", width: 320, height: 180 } },
      audio: [{ codec: "pcm", sample_size: 16, channels: 2 }],
    }),
  ];
  const elements = [aFileSource(path), measure, judge, aTranscodeTo(out, targets)];
  return aChain(elements, { name: "FERRYMAN QC black, silence, R128", task_tags: ["real"], user_tag: "fer-qc" });
};

const someTools = async (): Promise<Tools> => {
  const run = createRun({ clock: systemClock, env: { PATH: process.env.PATH ?? "" } });
  const tool = (path: string) => ({ path, version: "7.0.2", build: "made" });
  return {
    ...{ ffmpeg: tool("/usr/bin/ffmpeg"), ffprobe: tool("/usr/bin/ffprobe") },
    capabilities: ["ffmpeg", "ffprobe", "request", ...(await measureAbilities(ffmpegPath ?? "ffmpeg", run))],
  };
};

/** What happens to work, by words in its addresses; rack-05 breaks half an hour before now. */
const fate = (assignment: Assignment, { name }: MadeComputer, now: number, end: number, random: () => number): Fate => {
  const text = JSON.stringify(assignment.work);
  const isMain = assignment.work.steps.some((step) => step.do === "ffmpeg");
  if (name === "rack-05" && now > end - 0.6 * hour && isMain)
    return broken("machine", "hevc_nvenc: driver 550 does not match kernel module 545");
  if (isMain && text.includes("cut-short") && /\/0(04|11|17)\.mov/.test(text))
    return broken("source", `moov atom not found in ${/0\d\d\.mov/.exec(text)?.[0]} (card A021)`);
  if (isMain && text.includes("no-font") && text.includes("/003.mov"))
    return broken("capability", "Font “Halden Sans” is on no node");
  if (isMain && text.includes("decode-errors") && /\/0(12|33)\.mov/.test(text))
    return broken("media", "Decode errors over the limit: 40 frames are damaged, 0 are allowed");
  if (text.includes("retry-cold") && !isMain && text.includes("delivery") && random() < 0.8)
    return broken("receiver", "s3://halden-delivery refused the upload: 503 Slow Down");
  if (isMain && now < end - 2 * hour && random() < 0.004)
    return broken("resources", "Not enough memory: the encoder asked for 9 GB");
  const slowness = now > end - 1.2 * hour ? 2.2 : 1;
  return { minutes: isMain ? slowness * (3 + 9 * random()) : 0.2 + 0.6 * random() };
};

const broken = (cause: "machine" | "source" | "capability" | "media" | "receiver" | "resources", message: string) => ({
  failure: { cause, message },
});

/** Numbers that are the same each time. */
const seeded = (seed: number) => () => {
  seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
  return seed / 4_294_967_296;
};
