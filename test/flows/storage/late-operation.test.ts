import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../../coordinator/store/postgres/open.ts";
import { type HeldLine, startHeldLine } from "../../servers/held-line.ts";
import { type PostgresServer, postgresLacks, startPostgresServer } from "../../servers/postgres.ts";

const lacks = postgresLacks();
if (lacks) console.warn(`SKIPPED: operations whose end reaches PostgreSQL late: ${lacks}`);

const key = Buffer.alloc(32, 7);

describe.skipIf(lacks)("an operation whose connection breaks while it ends", () => {
  let server: PostgresServer;
  let line: HeldLine;
  beforeAll(async () => {
    server = await startPostgresServer();
    line = await startHeldLine(server);
  }, 120_000);
  afterAll(async () => {
    line?.stop();
    await server?.remove();
  });
  const open = async () => {
    const direct = await server.database();
    const store = await openPostgres(direct.replace(`:${server.port}/`, `:${line.port}/`), key);
    /** Resolves once an operation waits for the end of another one. */
    const turnIsAwaited = async () => {
      const waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      while ((await server.ask(direct, waiting)).length === 0);
    };
    return { store, look: await openPostgres(direct, key), turnIsAwaited };
  };

  test("is told as done if the server reads its end afterwards", async () => {
    const { store, look } = await open();
    const held = line.hold("COMMIT\0");
    const changed = store.records.change("view", "a", () => "1");
    await held;
    line.cut();
    await line.release();
    expect(await changed).toEqual({ before: undefined, after: "1" });
    expect(await look.records.get("view", "a")).toBe("1");
    await Promise.all([store.close(), look.close()]);
  });

  test("is told as not stored once the server gave it up, and then it is not stored", async () => {
    const { store, look } = await open();
    const held = line.hold("COMMIT\0");
    const changed = store.records.change("view", "a", () => "1");
    changed.catch(() => undefined);
    await held;
    line.cut();
    await expect(changed).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await line.release();
    expect(await look.records.get("view", "a")).toBe(undefined);
    await store.records.change("view", "a", () => "2");
    expect(await look.records.get("view", "a")).toBe("2");
    await Promise.all([store.close(), look.close()]);
  }, 60_000);

  test.each(["is stored", "is not stored"])(
    "is told as unknown where another coordinator's came next, if it %s",
    async (how) => {
      const { store, look, turnIsAwaited } = await open();
      const held = line.hold("COMMIT\0");
      const changed = store.records.change("view", "a", () => "1");
      changed.catch(() => undefined);
      await held;
      const next = look.records.change("view", "b", () => "of another one"); // waits for its turn before anybody asks
      await turnIsAwaited();
      line.cut();
      if (how === "is stored") await line.release();
      await expect(changed).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
      await next;
      if (how === "is not stored") await line.release();
      expect(await look.records.get("view", "a")).toBe(how === "is stored" ? "1" : undefined);
      await Promise.all([store.close(), look.close()]);
    },
    60_000,
  );
});
