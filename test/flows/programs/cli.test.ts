import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aChain, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { ffmpegPath, make } from "../../helpers/media/media-tools.ts";
import { documentsOf } from "../../helpers/processes/cli.ts";
import { exitOf, type FarmProcesses, startFarm, startProgram, until } from "../../helpers/processes/farm-processes.ts";

const main = join(import.meta.dirname, "../../../cli/main.ts");

let farm: FarmProcesses;
let clip: string;

describe.skipIf(ffmpegPath === undefined)("the command line on a real farm (skipped where there is no ffmpeg)", () => {
  beforeAll(async () => {
    farm = await startFarm();
    await farm.startAgent();
    const picture = ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=24:duration=1"];
    clip = await make(join(farm.media, "clip.mp4"), ...picture, "-pix_fmt", "yuv420p");
    await make(join(farm.media, "long.mp4"), "-stream_loop", "600", "-i", clip, "-c", "copy");
  });
  afterAll(async () => {
    await farm[Symbol.asyncDispose]();
  });

  test("a job from submit to delete, every verb with --json and for people", async () => {
    const submitted = await run(["submit", jobFile("short", clip), "--wait", "--json"]);
    const [first, result] = documentsOf(submitted.stdout);
    const id = String(first?.id);
    expect([submitted.status, submitted.stderr]).toEqual([0, ""]);
    expect(result).toMatchObject({ job: { id: Number(id), status: "completed" } });

    const job = await run(["job", id, "--json"]);
    const [view] = documentsOf(job.stdout) as { elements: { tasks: { id: string }[] }[]; outputs: { url: string }[] }[];
    const made = join(farm.folder, "out/short.mp4");
    expect(view?.outputs).toEqual([{ url: `file://${made}`, size: expect.any(Number) }]);
    expect((await run(["job", id])).stdout).toContain(`  ${made}  `);

    const sum = createHash("sha256").update(readFileSync(made)).digest("hex");
    const listed = documentsOf((await run(["outputs", id, "--json"])).stdout);
    expect(listed).toMatchObject([{ uri: `file://${made}`, checksum: `sha256:${sum}`, size: statSync(made).size }]);
    const here = join(farm.folder, "fetched");
    const fetched = await run(["download", id, "*.mp4", "--to", here]);
    expect([fetched.status, fetched.stdout]).toEqual([
      0,
      expect.stringMatching(/short\.mp4 .*checksum is right {2}fetched/),
    ]);
    expect(readFileSync(join(here, "short.mp4"))).toEqual(readFileSync(made));
    const again = await run(["download", id, "--to", here, "--json"]);
    expect(documentsOf(again.stdout)).toMatchObject([{ state: "already here", checksum: `sha256:${sum}` }]);
    expect(await run(["download", id, "*.wav"])).toMatchObject({ status: 1, stdout: "" });

    const task = view?.elements.at(-1)?.tasks.at(-1)?.id ?? "";
    expect((await run(["logs", task])).stdout).toMatch(/^== Attempt \d+ on one, begun .*\n\$ ffmpeg /);
    expect(documentsOf((await run(["logs", task, "--follow", "--json"])).stdout)).toMatchObject([
      { state: "published" },
    ]);
    expect(documentsOf((await run(["jobs", "--json"])).stdout)).toMatchObject([{ id, status: "completed" }]);
    expect(documentsOf((await run(["nodes", "--json"])).stdout)).toMatchObject([{ name: "one", presence: "online" }]);
    expect((await run(["node", "1", "--state", "active", "--json"])).status).toBe(0);
    expect(documentsOf((await run(["delete", id, "--json"])).stdout)).toEqual([{ id, deleted: true }]);
    expect((await run(["delete", id])).status).toBe(1);
    expect(existsSync(made)).toBe(true);
  });

  test("a failed job ends submit --wait with 1, its cause and what can be done stand in job", async () => {
    const { status, stdout, stderr } = await run(["submit", jobFile("gone", join(farm.media, "gone.mp4")), "--wait"]);
    expect([status, stdout]).toEqual([1, expect.stringContaining("no such file")]);
    const id = /Job (\d+) is queued/.exec(stderr)?.[1] ?? "";
    expect((await run(["job", id])).stdout).toMatch(
      /Went wrong\n {2}Task \d+, source: no such file.*\n {4}Do as the message says/,
    );
  });

  test("standard input is a job too, and colours stay away from pipes", async () => {
    const { status, stdout } = await run(["submit", "-", "--wait"], { input: aJobText("piped", clip) });
    expect([status, stdout.includes("\x1b")]).toEqual([0, false]);
  });

  test("Ctrl-C while waiting leaves the job running; stop ends it, and logs --follow sees its end", async () => {
    const waiting = startCli(["submit", jobFile("long", join(farm.media, "long.mp4"), slow), "--wait"]);
    await until("the job runs", async () => (await jobNamed("long"))?.status === "active");
    waiting.child.kill("SIGINT");
    const { status, stderr } = await waiting.ended;
    expect([status, stderr]).toEqual([
      130,
      expect.stringMatching(/Job (\d+) continues\. Watch it: mediafarm job \1 --wait/),
    ]);
    const id = String((await jobNamed("long"))?.id);
    await until("the encoding has begun", async () => (await runningTask()) !== undefined);
    const following = startCli(["logs", String(await runningTask()), "--follow"]);
    await until("the heading is there", () => following.stdout().includes("running"));
    expect((await run(["stop", id])).stdout).toBe(`Job ${id} is stopped\n`);
    expect(await following.ended).toMatchObject({ status: 0, stderr: expect.stringContaining("failed") });
  });

  test("a reader that has enough ends a command quietly with 0", async () => {
    const many = Array.from({ length: 300 }, (_, index) => farm.submit(aPausedJob(`bulk ${index} ${"x".repeat(900)}`)));
    await Promise.all(many);
    const { status, stdout, stderr } = await shell(`"$NODE" "$CLI" jobs --take 1000 --json | head -1`);
    expect([status, stdout.split("\n").length, stderr]).toEqual([0, 2, ""]);
    expect((await shell(`"$NODE" "$CLI" help submit | true`)).stderr).toBe("");
  });

  test("the doctor finds a mount that a node cannot reach, and ends with 1", async () => {
    expect((await run(["mounts", "set", "s3://gone=/nonexistent/share"])).status).toBe(0);
    const { status, stdout } = await run(["doctor", "--json"]);
    const [report] = documentsOf(stdout) as {
      areas: { area: string; findings: { severity: string; words: string }[] }[];
    }[];
    const { findings } = report?.areas.find(({ area }) => area === "mounts") ?? {};
    expect([status, findings]).toEqual([1, [expect.objectContaining({ severity: "bad" })]]);
    expect(findings?.[0]?.words).toMatch(/^one: .*\/nonexistent\/share/);
    const about = report?.areas.find(({ area }) => area === "nodes")?.findings;
    expect(about?.map(({ severity, words }) => [severity, words])).toEqual([["ok", "1 of 1 nodes take work"]]);
    await run(["mounts", "remove", "s3://gone"]);
  });

  test("a farm-wide mount is set, used by an agent that has none of its own, and taken away", async () => {
    mkdirSync(join(farm.folder, "bucket"));
    expect((await run(["mounts", "set", `s3://films=${farm.media}`])).status).toBe(0);
    const { status, stderr } = await run(["submit", "-", "--wait"], {
      input: aJobText("mounted", "s3://films/clip.mp4"),
    });
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expect(documentsOf((await run(["mounts", "remove", "s3://films", "--json"])).stdout)).toEqual([]);
    expect((await run(["submit", "-", "--wait"], { input: aJobText("unmounted", "s3://films/clip.mp4") })).status).toBe(
      1,
    );
  });
});

describe("up", () => {
  test("goes on with a warning where the credentials cannot be kept", async () => {
    await using alone = await startFarm();
    const config = join(alone.folder, "config-file");
    writeFileSync(config, "a file where the folder should be");
    chmodSync(config, 0o400);
    const words = ["up", "--no-agent", "--json", "--port", "0", "--data", join(alone.folder, "other")];
    // A farm of its own: in the other one's store it would stand by.
    const env = { ...alone.env, MEDIAFARM_STORE: undefined, XDG_CONFIG_HOME: config };
    const program = startProgram(main, words, env);
    expect(await program.firstLine).toMatchObject({ event: "ready", oapi_key: expect.any(String) });
    expect(program.stderr()).toMatch(/^Warning: could not save the farm's credentials .* The farm runs/);
    program.child.kill("SIGTERM");
    expect(await exitOf(program.child)).toBe(0);
  });

  test("names a setting of MEDIAFARM_TIMING that cannot be used", async () => {
    const env = { ...process.env, MEDIAFARM_TIMING: '{"tickMs":"slow"}' };
    const { status, stderr } = await ended(["up", "--no-agent", "--port", "0", "--data", "/nonexistent/data"], { env });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^MEDIAFARM_TIMING cannot be used: tickMs: /)]);
  });

  test("outlives the reader of its one line", async () => {
    await using alone = await startFarm();
    const child = alone.coordinator().child;
    child.stdout?.destroy();
    expect((await ended(["jobs", "--json"], { env: alone.env })).status).toBe(0);
    child.kill("SIGTERM");
    expect(await exitOf(child)).toBe(0);
  });
});

type Start = { readonly env?: NodeJS.ProcessEnv; readonly input?: string };

const start = (program: string, words: readonly string[], { env, input = "" }: Start) => {
  const child = spawn(program, words, { env, stdio: ["pipe", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(input);
  const closed = new Promise((resolve) => child.once("close", resolve));
  return {
    child,
    stdout: () => stdout,
    ended: closed.then(async () => ({ status: await exitOf(child), stdout, stderr })),
  };
};

const startCli = (words: readonly string[], more: Start = {}) =>
  start(process.execPath, [main, ...words], { env: farm.env, ...more });
const run = (words: readonly string[], more: Start = {}) => startCli(words, more).ended;
const ended = (words: readonly string[], more: Start) => start(process.execPath, [main, ...words], more).ended;
const shell = (line: string) =>
  start("bash", ["-c", `set -o pipefail; ${line}`], { env: { ...farm.env, NODE: process.execPath, CLI: main } }).ended;

const aJobOf = (name: string, source: string, target: object = {}) =>
  aChain(
    [
      aFileSource(source),
      aTranscodeTo(join(farm.folder, "out"), [
        anMp4Target({ file_pattern: `${name}.mp4`, existing_files: "replace", audio: undefined, ...target }),
      ]),
    ],
    { name },
  );
const aJobText = (...job: Parameters<typeof aJobOf>) => JSON.stringify(aJobOf(...job));
const jobFile = (...job: Parameters<typeof aJobOf>): string => {
  const path = join(farm.folder, `${job[0]}.json`);
  writeFileSync(path, aJobText(...job));
  expect(readFileSync(path, "utf8")).not.toBe("");
  return path;
};

/** Minutes of encoding: it is always stopped before its end. */
const slow = { video: { codec: "h264", width: 1920, height: 1080, preset: "veryslow", bitrate_kb: 8000 } };

/** A job that no node takes for now. */
const aPausedJob = (name: string) => ({ ...aJobOf("never", clip), name, task_tags: ["nobody"] });

const jobNamed = async (name: string) =>
  documentsOf((await run(["jobs", "--name", name, "--json"])).stdout)[0] as { id: string; status: string } | undefined;

const runningTask = async (): Promise<string | undefined> => {
  const [node] = documentsOf((await run(["nodes", "--json"])).stdout) as {
    running: { task_id: string; name: string }[];
  }[];
  return node?.running.find(({ name }) => name.includes("transcode"))?.task_id;
};
