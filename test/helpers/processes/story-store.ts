import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { type PostgresServer, startPostgresServer } from "../../servers/postgres.ts";

/** Where the farm of a story keeps its data. */
export type StoryStore = {
  /** What tells its coordinators. */
  readonly env: Readonly<Record<string, string>>;
  /** Times that its coordinators need beside other stories. */
  readonly timing: { readonly leaseMs?: number };
  /** All that it holds, as it is stored: to look for words that must not be there. */
  readonly text: () => Promise<string>;
};

/** In the project `postgres` of the tests each farm has a database of its own, on one server for each file; elsewhere a file. */
const isOnServer = process.env.MEDIAFARM_STORIES === "postgres";

let server: Promise<PostgresServer> | undefined;
if (isOnServer) {
  const { afterAll } = await import("vitest");
  afterAll(async () => (await server)?.remove());
}

/** A coordinator that was killed keeps its lease for a while: the next one says first that it stands by. */
export const isBegun = (line: unknown): boolean => !isOnServer || (line as { event?: unknown }).event !== "standby";

/** `file`: where its data lies unless a server has them. */
export const openStoryStore = async (file: string): Promise<StoryStore> => {
  if (!isOnServer) return { env: {}, timing: {}, text: async () => textOfFile(file) };
  server ??= startPostgresServer();
  const { database, ask } = await server;
  const address = await database();
  return {
    env: { MEDIAFARM_STORE: address, MEDIAFARM_SECRET_KEY: randomBytes(32).toString("base64") },
    timing: { leaseMs: 20_000 }, // one that was killed is waited for
    text: async () => {
      const tables = await ask(address, "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
      const rows = tables.map(({ name }) =>
        ask(address, `SELECT string_agg(t::text, chr(10)) AS rows FROM ${name} AS t`),
      );
      return (await Promise.all(rows)).map(([found]) => String(found?.rows ?? "")).join("\n");
    },
  };
};

/** What was written last is beside it. */
const textOfFile = (file: string): string =>
  [file, `${file}-wal`].map((each) => (existsSync(each) ? readFileSync(each, "latin1") : "")).join("");
