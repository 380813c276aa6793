import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LeadView } from "../../../shared/api/lead.ts";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import {
  exitOf,
  type FarmProcesses,
  kill,
  type Program,
  startFarm,
  stop,
  until,
} from "../../helpers/processes/farm-processes.ts";
import { type PostgresServer, postgresLacks, startPostgresServer } from "../../servers/postgres.ts";
import { freePorts } from "../../servers/process.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: coordinators that stand by are not tested: ${lacks}`);

/** The first line that a coordinator prints. */
type Said = { readonly event: "ready" | "standby"; readonly address?: string };

const addressesOf = (ports: readonly number[]) => ports.map((port) => `http://127.0.0.1:${port}`);

/** A farm of coordinators on these ports; the first one of them leads at the beginning. */
const startCoordinators = async (store: string, [first = 0, ...others]: readonly number[]) => {
  const coordinators = addressesOf([first, ...others]).join(",");
  const env = {
    MEDIAFARM_STORE: store,
    MEDIAFARM_SECRET_KEY: randomBytes(32).toString("base64"),
    MEDIAFARM_COORDINATORS: coordinators,
  };
  const farm = await startFarm({ env, port: first });
  const start = async (port: number): Promise<Program> => {
    const data = join(farm.folder, `coordinator-${port}`);
    const program = farm.startCommand(["up", "--no-agent", "--json", "--port", String(port), "--data", data]);
    await program.firstLine;
    return program;
  };
  const programs = new Map([[first, farm.coordinator()]]);
  for (const port of others) programs.set(port, await start(port));
  return { farm, programs, start };
};

const leaderOf = async (server: PostgresServer, store: string): Promise<number | undefined> => {
  const rows = await server
    .ask(store, "SELECT address FROM lease WHERE holder IS NOT NULL AND until > clock_timestamp()")
    .catch(() => []);
  return rows[0] ? Number(new URL(String(rows[0].address)).port) : undefined;
};

const untilAnotherLeads = async (server: PostgresServer, store: string, before: number): Promise<number> => {
  let leader: number | undefined;
  await until("another coordinator leads", async () => {
    leader = await leaderOf(server, store);
    return leader !== undefined && leader !== before;
  });
  return leader ?? 0;
};

const aJob = (farm: FarmProcesses, nr: number) => {
  const source = join(farm.media, `${nr}.txt`);
  writeFileSync(source, `file ${nr}`);
  return aChain([aFileSource(source), aCopyTo(join(farm.folder, "out"))]);
};

/** What the rows say: every job once, and no attempt of an old leader among those of a newer one. */
const auditOf = async (server: PostgresServer, store: string) =>
  (
    await server.ask(
      store,
      `SELECT (SELECT count(*)::int FROM jobs) AS jobs, (SELECT count(*)::int FROM jobs WHERE status = 'completed') AS completed,
         (SELECT count(*)::int FROM tasks WHERE (SELECT count(*) FROM attempts
            WHERE task_id = tasks.id AND attempts.state = 'published') <> 1) AS "notOnce",
         (SELECT count(*)::int FROM (SELECT epoch < lag(epoch) OVER (ORDER BY counter) AS back FROM attempts) AS a
            WHERE back) AS interleaved`,
    )
  )[0];

describe.skipIf(lacks)("coordinators of one PostgreSQL database", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  }, 120_000);
  afterAll(() => server?.remove());

  test("one leads; the other says where, and leads when the first one ends: jobs and nodes go on", async () => {
    const store = await server.database();
    const ports = await freePorts(2);
    const [one = 0, two = 0] = ports;
    const { farm, programs } = await startCoordinators(store, ports);
    await using _ = farm;
    const standby = programs.get(two) as Program;
    expect(await standby.firstLine).toMatchObject({
      event: "standby",
      address: `http://127.0.0.1:${two}`,
    } satisfies Said);
    const [first, second] = addressesOf(ports);
    const asked = await fetch(`${second}/v1/jobs?a=1`, { redirect: "manual" });
    expect([asked.status, asked.headers.get("location")]).toEqual([307, `${first}/v1/jobs?a=1`]);
    const health = await Promise.all(["/healthz", "/readyz"].map(async (path) => (await fetch(second + path)).status));
    expect(health).toEqual([200, 503]);
    const third = farm.startCommand(["up", "--no-agent", "--port", "0", "--data", join(farm.folder, "third")]);
    const [said] = await once(third.child.stdout as Readable, "data"); // it is piped
    expect(String(said)).toMatch(/^Another coordinator leads this farm\. This one stands by at http:\S+\.\n$/);
    await stop(third);

    mkdirSync(join(farm.folder, "out"));
    await farm.startAgent();
    expect((await farm.untilEnded(await farm.submit(aJob(farm, 1)))).status).toBe("completed");
    // A planned end gives the lease away at once.
    await stop(programs.get(one) as Program);
    expect(await untilAnotherLeads(server, store, one)).toBe(two);
    const client = farm.clientAt(`${second}/v1`);
    await until("the node has moved to the other coordinator", async () =>
      (await client.listNodes({}).catch(() => ({ items: [] }))).items.some(({ state }) => state === "active"),
    );
    const { id } = await client.createJob(aJob(farm, 2));
    await until(
      "the job is done",
      async () => (await client.getJobInfo({ job_id: id, fields: ["status"] })).status === "completed",
    );
    expect(readdirSync(join(farm.folder, "out")).sort()).toEqual(["1.txt", "2.txt"]);
    expect(await auditOf(server, store)).toEqual({ jobs: 2, completed: 2, notOnce: 0, interleaved: 0 });
  }, 300_000);

  test("the lead is handed over and back while jobs run: within seconds, nothing lost, nothing done twice", async () => {
    const store = await server.database();
    const ports = await freePorts(2);
    const { farm } = await startCoordinators(store, ports);
    await using _ = farm;
    mkdirSync(join(farm.folder, "out"));
    await farm.startAgent();
    const dataOf = (port: number) => join(farm.folder, port === ports[0] ? "farm" : `coordinator-${port}`);
    /** `mediafarm lead` on the machine of the leader: its answer, undefined if there was none. */
    const onLeader = async (...words: string[]): Promise<LeadView | undefined> => {
      const leader = (await leaderOf(server, store)) ?? 0;
      const program = farm.startCommand(["lead", "--json", "--data", dataOf(leader), ...words]);
      return program.firstLine.then(
        (line) => line as LeadView, // what the command prints
        () => undefined,
      );
    };
    await until("the leader knows who stands by", async () => (await onLeader())?.standbys.length === 1);
    let count = 0;
    const gaps: number[] = [];
    for (const _turn of [1, 2]) {
      const ids: string[] = [];
      for (const nr of [++count, ++count, ++count]) {
        const leader = (await leaderOf(server, store)) ?? 0;
        ids.push((await farm.clientAt(`http://127.0.0.1:${leader}/v1`).createJob(aJob(farm, nr))).id);
      }
      const leader = (await leaderOf(server, store)) ?? 0;
      expect((await onLeader("--give"))?.leader).toBe(`http://127.0.0.1:${leader}`);
      const begun = Date.now();
      const next = await untilAnotherLeads(server, store, leader);
      await until("the other one is ready", async () =>
        fetch(`http://127.0.0.1:${next}/readyz`).then(
          ({ status: found }) => found === 200,
          () => false,
        ),
      );
      gaps.push(Date.now() - begun);
      const before = `http://127.0.0.1:${leader}`;
      await until("the one that led stands by", async () => (await onLeader())?.standbys.includes(before) === true);
    }
    console.info(`handed over within ${gaps.join(" and ")} ms, as a client sees it`);
    await until("all jobs have ended", async () => (await auditOf(server, store))?.completed === count);
    expect(await auditOf(server, store)).toEqual({ jobs: count, completed: count, notOnce: 0, interleaved: 0 });
    const first = await farm.run(["lead", "--data", join(farm.folder, "nowhere")]);
    expect(first.status).toBe(1);
  }, 300_000);

  test("a leader is killed, sleeps longer than its lease, loses the database: nothing is lost, nothing done twice", async () => {
    const store = await server.database();
    const ports = await freePorts(3);
    const { farm, programs, start } = await startCoordinators(store, ports);
    await using _ = farm;
    mkdirSync(join(farm.folder, "out"));
    await Promise.all([farm.startAgent("one"), farm.startAgent("two")]);
    let count = 0;
    /** A coordinator that has lost its lease or its database ends; what watches over it, here this test, starts it again. */
    const startEnded = async () => {
      for (const [port, { child }] of programs) {
        if (child.exitCode === null) continue;
        // One that finds no database yet ends again, and is started the next time.
        const program = await start(port).catch(() => undefined);
        if (program) programs.set(port, program);
      }
    };
    /** Some jobs, each sent until a coordinator has accepted it under its own name. */
    const send = async (some: number) => {
      for (const nr of Array.from({ length: some }, () => ++count)) {
        const job = aJob(farm, nr);
        await until(`job ${nr} is accepted`, async () => {
          await startEnded();
          const port = (await leaderOf(server, store)) ?? ports[0];
          const client = farm.clientAt(`http://127.0.0.1:${port}/v1`);
          return client.createJob(job, { headers: { "idempotency-key": `job-${nr}` } }).then(
            () => true,
            () => false,
          );
        });
      }
    };
    const faults: readonly ((leader: number) => Promise<void>)[] = [
      async (leader) => {
        await kill(programs.get(leader) as Program);
        await untilAnotherLeads(server, store, leader);
        programs.set(leader, await start(leader));
      },
      async (leader) => {
        const { child } = programs.get(leader) as Program;
        child.kill("SIGSTOP");
        await untilAnotherLeads(server, store, leader);
        await send(2);
        child.kill("SIGCONT");
        expect(await exitOf(child)).toBe(1);
        programs.set(leader, await start(leader));
      },
      async () => {
        await server.stop("immediate");
        await server.start();
      },
    ];
    for (const fault of faults) {
      await send(5);
      const leader = await leaderOf(server, store);
      await fault(leader ?? 0);
      await send(3);
    }
    await until("all jobs have ended", async () => {
      await startEnded();
      const audit = await auditOf(server, store).catch(() => undefined);
      return audit?.completed === count;
    });
    expect(await auditOf(server, store)).toEqual({ jobs: count, completed: count, notOnce: 0, interleaved: 0 });
    expect(readdirSync(join(farm.folder, "out"))).toHaveLength(count);
  }, 600_000);
});
