import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aChain, aCopyTo, aFileSource } from "../../helpers/farm/job-builders.ts";
import { kill, startFarm, stop, until } from "../../helpers/processes/farm-processes.ts";
import { type PostgresServer, postgresLacks, startPostgresServer } from "../../servers/postgres.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: farms on PostgreSQL are not tested: ${lacks}`);

const aKey = () => randomBytes(32).toString("base64");

describe.skipIf(lacks)("a farm in a PostgreSQL database", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgresServer();
  }, 120_000);
  afterAll(() => server?.remove());

  test("does its jobs, keeps them when its coordinator is killed, and has no file of SQLite", async () => {
    const address = await server.database();
    await using farm = await startFarm({ env: { MEDIAFARM_STORE: address, MEDIAFARM_SECRET_KEY: aKey() } });
    await farm.startAgent();
    const [source, out] = [join(farm.media, "a\u0001 file.txt"), join(farm.folder, "out")];
    writeFileSync(source, "what is copied");
    mkdirSync(out);
    const first = await farm.submit(aChain([aFileSource(source), aCopyTo(out)]));
    expect((await farm.untilEnded(first)).status).toBe("completed");
    const second = await farm.submit(aChain([aFileSource(source), aCopyTo(join(farm.folder, "again"))]));
    await kill(farm.coordinator());
    await farm.restartCoordinator();
    expect((await farm.untilEnded(second)).status).toBe("completed");
    for (const folder of ["out", "again"])
      expect(readFileSync(join(farm.folder, folder, "a\u0001 file.txt"), "utf8")).toBe("what is copied");
    const [row] = await server.ask(
      address,
      `SELECT (SELECT count(*) FROM jobs WHERE status = 'completed') AS jobs, (SELECT epoch > 0 FROM lead) AS led,
         (SELECT count(*) FROM attempts WHERE state = 'published') = (SELECT count(*) FROM tasks) AS once`,
    );
    expect(row).toEqual({ jobs: "2", led: true, once: true });
    expect(() => readFileSync(farm.database)).toThrow("ENOENT");
  });

  test("is led by the coordinator that stood by although its own agent cannot start: nobody else would", async () => {
    const env = { MEDIAFARM_STORE: await server.database(), MEDIAFARM_SECRET_KEY: aKey() };
    await using farm = await startFarm({ env });
    const notes = join(farm.folder, "notes.txt");
    writeFileSync(notes, "not a program");
    const words = ["up", "--json", "--port", "0", "--data", join(farm.folder, "other")];
    const other = farm.startCommand(words, { FFMPEG_PATH: notes });
    const standby = (await other.firstLine) as { readonly address: string }; // as `up --json` says that it stands by
    expect(standby).toMatchObject({ event: "standby", address: expect.stringContaining("http://127.0.0.1:") });
    await kill(farm.coordinator());
    await until("the other one leads", () => other.stderr().includes("leads without an agent of its own"));
    expect(other.stderr()).toContain("FFMPEG_PATH does not point to a usable ffmpeg");
    expect((await farm.clientAt(`${standby.address}/v1`).listNodes({})).items).toEqual([]);
  });

  test("has nobody who stands by without a port, a folder or the programs that were named: each is told at the start", async () => {
    const env = { MEDIAFARM_STORE: await server.database(), MEDIAFARM_SECRET_KEY: aKey() };
    await using farm = await startFarm({ env });
    const data = join(farm.folder, "other");
    const said = async (port: number, folder: string, more: Record<string, string> = {}) => {
      const { status, stderr } = await farm.run(["up", "--json", "--port", String(port), "--data", folder], more);
      return `${status}: ${stderr}`;
    };
    expect(await said(farm.port, data)).toContain(
      `1: Port ${farm.port} on 127.0.0.1 is not available: another program`,
    );
    const file = join(farm.folder, "file");
    writeFileSync(file, "a file where a folder should be");
    expect(await said(0, join(file, "data"))).toMatch(/^1: The data folder .* cannot be written/);
    const named = await said(0, data, { FFPROBE_PATH: "/nonexistent/ffprobe" });
    expect(named).toContain("1: FFPROBE_PATH names /nonexistent/ffprobe: there is no such program");
  });

  test("is moved here from SQLite by move-store, with its jobs, its people and its nodes", async () => {
    const address = await server.database();
    await using farm = await startFarm({ env: { MEDIAFARM_SECRET_KEY: aKey() } });
    await farm.startAgent();
    writeFileSync(join(farm.media, "a.txt"), "what is copied");
    const job = aChain([aFileSource(join(farm.media, "a.txt")), aCopyTo(join(farm.folder, "out"))]);
    const id = await farm.submit(job);
    await farm.untilEnded(id);
    const move = () => farm.run(["move-store", "--json", join(farm.folder, "farm"), address]);
    expect(await move()).toMatchObject({ status: 1, stderr: expect.stringContaining("Another coordinator is using") });
    await stop(farm.coordinator());
    expect(await move()).toMatchObject({ status: 0, stderr: "" });
    const again = await move();
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining("The new store has a farm already") });
    const words = ["up", "--no-agent", "--json", "--port", String(farm.port), "--data", join(farm.folder, "other")];
    await farm.startCommand([...words, "--store", address]).firstLine;
    expect((await farm.client.getJobInfo({ job_id: id, fields: ["status"] })).status).toBe("completed");
    await until("the node is back", async () =>
      (await farm.client.listNodes({})).items.some(({ state }) => state === "active"),
    );
  });

  test("is refused in words with another key, with a password in its address, and where nobody answers", async () => {
    const address = await server.database();
    const up = (store: string, key: string) => ({
      words: ["up", "--no-agent", "--json", "--port", "0", "--data", join(farm.folder, "other"), "--store", store],
      env: { MEDIAFARM_SECRET_KEY: key },
    });
    await using farm = await startFarm({ env: { MEDIAFARM_STORE: address, MEDIAFARM_SECRET_KEY: aKey() } });
    const said = async (store: string, key = aKey()) => {
      const { words, env } = up(store, key);
      const { status, stderr } = await farm.run(words, env);
      return `${status}: ${stderr}`;
    };
    expect(await said(address)).toMatch(/^1: .*The key that encrypts secrets is not this farm's/s);
    expect(await said(address, "short")).toContain("it must be 32 bytes in base64");
    const secret = await said(address.replace("farm@", "farm:pa55word@"));
    expect([secret.includes("it contains a password"), secret.includes("pa55word")]).toEqual([true, false]);
    expect(await said("postgres://farm@127.0.0.1:1/farm")).toContain("127.0.0.1:1/farm cannot be opened");
    expect(await said("postgres://farm@example.com/farm?sslmode=disable")).toContain("on this machine only");
  });
});
