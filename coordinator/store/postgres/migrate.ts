import { readdirSync, readFileSync } from "node:fs";
import { AppError } from "../../../shared/basics/errors.ts";
import type { Ask, Database } from "./connection/database.ts";

const ownScripts = new URL("migrations/", import.meta.url);

/** Texts are compared by their bytes, of UTF-8; the statements need what version 15 can do. */
const oldestServer = 150_000;

/**
 * Brings the database to this program's version, in one transaction; coordinators that start at the same time do it one after
 * the other. The version is the number of the last script. A database newer than the program is refused, unless all that is newer
 * says that it works beside older programs: then coordinators of both versions lead and stand by in turn during an upgrade.
 */
export const migrate = (database: Database, shown: string, folder = ownScripts): Promise<void> =>
  database.transaction("write", async (ask) => {
    await refuseServer(ask, shown);
    await ask("SELECT pg_advisory_xact_lock(hashtext('mediafarm schema'))");
    const { version, worksWith } = await versionIn(ask);
    const scripts = listScripts(folder);
    const newest = scripts.at(-1)?.nr ?? 0;
    if (worksWith > newest)
      throw new AppError(
        "CONFLICT",
        `The database ${shown} has version ${version}, and this program knows ${newest} at most: install a newer Mediafarm`,
      );
    const missing = scripts.filter(({ nr }) => nr > version);
    for (const { sql } of missing) await ask(sql);
    if (missing.length === 0) return;
    const oldest = missing.findLast(({ sql }) => !sql.startsWith(isForOlder))?.nr ?? worksWith;
    await ask("UPDATE schema_version SET version = $1, works_with = $2", newest, oldest);
  });

/** How a script begins after which programs that do not know it can still use the tables. Others are taken to break them. */
export const isForOlder = "-- Works beside older programs.";

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

/** `worksWith`: a program has to know the scripts up to there. Programs before that was kept are taken to need all of them. */
const versionIn = async (ask: Ask): Promise<{ readonly version: number; readonly worksWith: number }> => {
  const [found] = await ask<{ name: string | null }>("SELECT to_regclass('schema_version')::text AS name");
  if (found?.name === null) await ask("CREATE TABLE schema_version AS SELECT 0::bigint AS version");
  const [row] = await ask<{ version: number; works_with?: number }>("SELECT * FROM schema_version");
  const version = row?.version ?? 0;
  if (row?.works_with !== undefined) return { version, worksWith: row.works_with };
  await ask("ALTER TABLE schema_version ADD COLUMN works_with BIGINT NOT NULL DEFAULT 0");
  await ask("UPDATE schema_version SET works_with = version");
  return { version, worksWith: version };
};

const listScripts = (folder: URL): { readonly sql: string; readonly nr: number }[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => ({ sql: readFileSync(new URL(file, folder), "utf8"), nr: Number.parseInt(file, 10) }));
