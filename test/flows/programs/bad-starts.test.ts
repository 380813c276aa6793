import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exitOf, type FarmProcesses, startFarm } from "../../helpers/processes/farm-processes.ts";

let farm: FarmProcesses;
beforeAll(async () => {
  farm = await startFarm();
});
afterAll(async () => {
  await farm[Symbol.asyncDispose]();
});

describe("what keeps a program from starting ends it with status 1 and one sentence", () => {
  const startsBadly = async (words: string[], env: Record<string, string> = {}) => {
    const { status, stderr } = await farm.run(["up", "--json", ...words], env);
    expect(stderr).not.toMatch(/\n\s+at /);
    return { status, stderr };
  };

  test("a port that another program has", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address ? String(address.port) : "";
    const { status, stderr } = await startsBadly(["--port", port, "--data", join(farm.folder, "p")]);
    server.close();
    expect([status, stderr]).toEqual([1, expect.stringContaining(`Port ${port} on 127.0.0.1 is not available`)]);
  });

  test("a data folder that cannot be written", async () => {
    const inTheWay = join(farm.folder, "file");
    writeFileSync(inTheWay, "a file where a folder should be");
    const { status, stderr } = await startsBadly(["--port", "0", "--data", join(inTheWay, "data")]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("cannot be written")]);
  });

  test.skipIf(process.getuid?.() === 0)(
    "a data folder without write permission (skipped for root, who may)",
    async () => {
      const folder = join(farm.folder, "readonly");
      mkdirSync(folder);
      chmodSync(folder, 0o500);
      const { status, stderr } = await startsBadly(["--port", "0", "--data", join(folder, "data")]);
      expect([status, stderr]).toEqual([1, expect.stringContaining("cannot be written")]);
    },
  );

  test("a database that is newer than the program", async () => {
    const folder = join(farm.folder, "newer/coordinator");
    mkdirSync(folder, { recursive: true });
    const db = new Database(join(folder, "farm.db"));
    db.pragma("user_version = 9999");
    db.close();
    const { status, stderr } = await startsBadly(["--port", "0", "--data", join(farm.folder, "newer")]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("has version 9999")]);
  });

  test("a data folder that another coordinator uses", async () => {
    const { status, stderr } = await startsBadly(["--port", "0", "--no-agent", "--data", join(farm.folder, "farm")]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("Another coordinator is using")]);
  });

  test("an ffmpeg that is not where FFMPEG_PATH says", async () => {
    const env = { FFMPEG_PATH: "/nonexistent/ffmpeg" };
    const { status, stderr } = await startsBadly(["--port", "0", "--data", join(farm.folder, "f")], env);
    expect([status, stderr]).toEqual([1, expect.stringContaining("/nonexistent/ffmpeg")]);
  });

  test("a root that is not a folder", async () => {
    const { status, stderr } = await startsBadly([
      "--port",
      "0",
      "--root",
      "/nonexistent",
      "--data",
      join(farm.folder, "r"),
    ]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("/nonexistent: there is no such folder")]);
  });

  test("a command that does not exist is wrong usage: status 2", async () => {
    expect((await farm.run(["upp"])).status).toBe(2);
  });
});

test("SIGTERM ends `up` with status 0 and takes its agent along", async () => {
  const alone = await startFarm();
  const { child } = alone.coordinator();
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
  await alone[Symbol.asyncDispose]();
});
