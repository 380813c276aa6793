import { readdirSync, readFileSync } from "node:fs";
import { AppError } from "../../../shared/basics/errors.ts";
import type { Ask, Database } from "./connection/database.ts";

const ownScripts = new URL("migrations/", import.meta.url);

/** Texts are compared by their bytes, of UTF-8; the statements need what version 15 can do. */
const oldestServer = 150_000;

/**
 * Brings the database to this program's version, in one transaction; coordinators that start at the same time do it one after
 * the other. The version is the number of the last script. A database newer than the program is refused.
 */
export const migrate = (database: Database, shown: string, folder = ownScripts): Promise<void> =>
  database.transaction("write", async (ask) => {
    await refuseServer(ask, shown);
    await ask("SELECT pg_advisory_xact_lock(hashtext('mediafarm schema'))");
    const version = await versionIn(ask);
    const scripts = listScripts(folder);
    const newest = scripts.at(-1)?.nr ?? 0;
    if (version > newest)
      throw new AppError(
        "CONFLICT",
        `The database ${shown} has version ${version}, and this program knows ${newest} at most: install a newer Mediafarm`,
      );
    const missing = scripts.filter(({ nr }) => nr > version);
    for (const { file } of missing) await ask(readFileSync(new URL(file, folder), "utf8"));
    if (missing.length > 0) await ask("UPDATE schema_version SET version = $1", newest);
  });

const refuseServer = async (ask: Ask, shown: string): Promise<void> => {
  const [server] = await ask<{ version: number; encoding: string; commits: string }>(
    `SELECT current_setting('server_version_num')::bigint AS version, current_setting('server_encoding') AS encoding,
       current_setting('synchronous_commit') AS commits`,
  );
  const why = server && problemOf(server);
  if (why) throw new AppError("CONFLICT", `The database ${shown} cannot keep a farm: ${why}`);
};

const problemOf = (server: { version: number; encoding: string; commits: string }): string | undefined => {
  if (server.version < oldestServer)
    return `its server is PostgreSQL ${Math.floor(server.version / 10_000)}, and 15 is the oldest that will do`;
  if (server.encoding !== "UTF8") return `its encoding is ${server.encoding}, not UTF8`;
  if (server.commits === "off") return "synchronous_commit is off, so what is acknowledged could be lost";
  return undefined;
};

const versionIn = async (ask: Ask): Promise<number> => {
  const [found] = await ask<{ name: string | null }>("SELECT to_regclass('schema_version')::text AS name");
  if (found?.name === null) await ask("CREATE TABLE schema_version AS SELECT 0::bigint AS version");
  const [row] = await ask<{ version: number }>("SELECT version FROM schema_version");
  return row?.version ?? 0;
};

const listScripts = (folder: URL): { readonly file: string; readonly nr: number }[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({ file, nr: Number.parseInt(file, 10) }));
