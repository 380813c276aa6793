import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient } from "../../../shared/api/client.ts";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { isLong } from "../../helpers/long.ts";
import { exitOf, kill, type Program, startProgram, until } from "../../helpers/processes/farm-processes.ts";
import { postgresLacks, startPostgresServer } from "../../servers/postgres.ts";
import { freePorts } from "../../servers/process.ts";

const root = join(import.meta.dirname, "../../..");

const git = (...words: string[]): string | undefined => {
  const { status, stdout } = spawnSync("git", ["-C", root, ...words], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
};
/** What was there before the newest commit or merge; MEDIAFARM_BEFORE names another one, such as the last that landed. */
const before = process.env.MEDIAFARM_BEFORE ?? git("rev-parse", "--verify", "--quiet", "HEAD~1");

const lacks =
  postgresLacks() ??
  (before ? undefined : "there is no git history") ??
  (isLong ? undefined : "it is for npm run long");
if (lacks) console.warn(`SKIPPED: this version beside the one before: ${lacks}`);

/** The version before, as a clone that uses this tree's packages. */
const cloneInto = (folder: string): void => {
  const done = [
    git("clone", "--quiet", "--shared", "--no-checkout", root, folder),
    git("-C", folder, "checkout", "--quiet", `${before}`),
  ];
  if (done.includes(undefined)) throw new Error(`There is no clone of ${before}`);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
};

type Ready = Readonly<Record<"oapi_key" | "oapi_secret" | "auth_key" | "auth_secret" | "join_token", string>>;

test.skipIf(lacks)(
  "a farm goes from the version before to this one and back while jobs run",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "mediafarm-versions-"));
    const clone = join(folder, "before");
    cloneInto(clone);
    const server = await startPostgresServer();
    const store = await server.database();
    const ports = await freePorts(2);
    const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
    const programs: Program[] = [];
    const start = (tree: string, file: string, words: readonly string[], more: object = {}): Program => {
      const program = startProgram(join(tree, file), words, {
        ...process.env,
        XDG_CONFIG_HOME: join(folder, "config"),
        MEDIAFARM_STORE: store,
        MEDIAFARM_SECRET_KEY: key,
        MEDIAFARM_COORDINATORS: addresses.join(","),
        // Hands change because they are told to, however busy the machine is.
        MEDIAFARM_TIMING: JSON.stringify({ leaseMs: 60_000 }),
        ...more,
      });
      programs.push(program);
      return program;
    };
    const key = randomBytes(32).toString("base64");
    const dataOf = (nth: number) => join(folder, `coordinator-${nth}`);
    const coordinator = (tree: string, nth: number): Program =>
      start(tree, "cli/main.ts", ["up", "--no-agent", "--json", "--port", `${ports[nth]}`, "--data", dataOf(nth)]);
    const agent = async (tree: string, name: string, joinToken: string): Promise<void> => {
      const words = ["--json", "--name", name, "--slots", "1", "--root", folder, "--data", join(folder, name)];
      await start(tree, "agent/main.ts", words, { MEDIAFARM_JOIN_TOKEN: joinToken }).firstLine;
    };
    const leader = async () => {
      const sql = "SELECT address FROM lease WHERE holder IS NOT NULL AND until > clock_timestamp()";
      return addresses.indexOf(String((await server.ask(store, sql))[0]?.address));
    };
    const give = async (tree: string, nth: number): Promise<number> => {
      const begun = performance.now();
      const command = start(tree, "cli/main.ts", ["lead", "--json", "--give", "--data", dataOf(nth)]);
      expect(await exitOf(command.child), command.stderr()).toBe(0);
      await until("the other one leads", async () => (await leader()) === 1 - nth);
      return performance.now() - begun;
    };
    try {
      const old = coordinator(clone, 0);
      const ready = (await old.firstLine) as Ready; // the contract of `up --json`
      await agent(clone, "old", ready.join_token);
      const own = coordinator(root, 1);
      expect(await own.firstLine).toMatchObject({ event: "standby" });
      await agent(root, "new", ready.join_token);

      const [baseUrl = "", otherUrl = ""] = addresses.map((each) => `${each}/v1`);
      const client = createClient({
        ...{ baseUrl, otherUrls: [otherUrl], oapiKey: ready.oapi_key, oapiSecret: ready.oapi_secret },
        ...{ authKey: ready.auth_key, authSecret: ready.auth_secret },
      });
      const out = join(folder, "out");
      mkdirSync(out);
      let count = 0;
      const send = async (some: number): Promise<void> => {
        for (let nr = 0; nr < some; nr += 1) {
          const name = `${++count}.txt`;
          writeFileSync(join(folder, name), name);
          const job = aChain([aFileSource(join(folder, name)), aCopyTo(out)]);
          await until(`${name} is accepted`, () =>
            client.createJob(job, { headers: { "idempotency-key": name } }).then(
              () => true,
              () => false,
            ),
          );
        }
      };
      const completed = "SELECT count(*)::int AS n FROM jobs WHERE status = 'completed'";
      const allDone = () =>
        until("all jobs are done", async () => (await server.ask(store, completed))[0]?.n === count);

      await send(6);
      console.info(`from the version before to this one within ${Math.round(await give(clone, 0))} ms`);
      await send(6);
      await allDone();
      // The one that gave the lead away stands by again if it knows that newer tables may do; else it says what to do.
      if (readFileSync(join(clone, "coordinator/store/postgres/migrate.ts"), "utf8").includes("works_with")) {
        await until("the old one stands by", async () => (await fetch(`${addresses[0]}/healthz`)).ok);
        console.info(`and back within ${Math.round(await give(root, 1))} ms`);
        await send(6);
        await allDone();
        console.info(`and again to this one within ${Math.round(await give(clone, 0))} ms`);
      } else {
        expect(await exitOf(old.child)).toBe(1);
        expect(old.stderr()).toContain("install a newer Mediafarm");
      }
      await send(6);
      await allDone();
      const [row] = await server.ask(
        store,
        `SELECT (SELECT count(*)::int FROM jobs WHERE status = 'completed') AS completed,
         (SELECT count(*)::int FROM tasks WHERE (SELECT count(*) FROM attempts
            WHERE task_id = tasks.id AND attempts.state = 'published') <> 1) AS "notOnce"`,
      );
      expect(row).toEqual({ completed: count, notOnce: 0 });
      expect(readdirSync(out)).toHaveLength(count);
    } finally {
      for (const each of programs) await kill(each);
      await server.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  900_000,
);
