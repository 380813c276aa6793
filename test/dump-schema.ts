import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { migrate } from "../coordinator/store/sqlite/migrate.ts";

export const schemaFile = new URL("schema.sql", import.meta.url);

/** The whole schema as SQL, in the order in which it was made: of a fresh database unless another one is given. */
export const dumpSchema = (db?: Database.Database): string => {
  if (!db) return withFresh(dumpSchema);
  const rows = db.prepare<[], { sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY rowid",
  );
  const version = db.pragma("user_version", { simple: true });
  return `-- Version ${version}. Made by \`npm run db:dump\`; a migration shows here as a diff.\n\n${rows
    .all()
    .map(({ sql }) => `${sql};\n`)
    .join("\n")}`;
};

const withFresh = <T>(use: (db: Database.Database) => T): T => {
  const folder = mkdtempSync(join(tmpdir(), "mediafarm-schema-"));
  const file = join(folder, "farm.db");
  const db = new Database(file);
  try {
    migrate(db, file);
    return use(db);
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) writeFileSync(schemaFile, dumpSchema());
