import type Database from "better-sqlite3";
import { AppError } from "../../../shared/basics/errors.ts";

/**
 * DELETE WITH THE NEXT RELEASE, with its test and its line in `migrate.ts`: takes over the farms of version 29, the last
 * one before migrations were joined. Every table is made anew by the first script, and its rows are copied.
 */
export const upgrade29 = (db: Database.Database, file: string, create: () => void): void => {
  refusePlainTexts(db, file);
  // References between tables keep their names while the tables are renamed.
  db.pragma("legacy_alter_table = ON");
  const names = namesOf(db, "table").filter((name) => !name.startsWith("sqlite_"));
  for (const name of namesOf(db, "index")) db.exec(`DROP INDEX ${name}`);
  for (const name of names) db.exec(`ALTER TABLE ${name} RENAME TO ${before(name)}`);
  create();
  for (const name of names.filter((each) => !becameRecords.includes(each))) copyRows(db, name);
  db.exec("UPDATE tasks SET purpose = 'stage' WHERE purpose = 'facts' AND weight = 'full'");
  db.exec(recordsSql);
  db.exec(`UPDATE sqlite_sequence SET seq = old.seq FROM sqlite_sequence AS old
    WHERE old.name = '${before("")}' || sqlite_sequence.name`);
  for (const name of names) db.exec(`DROP TABLE ${before(name)}`);
  db.pragma("legacy_alter_table = OFF");
};

const before = (name: string): string => `before_${name}`;

const becameRecords = ["meta", "mounts", "presets", "saved_views", "credentials", "unsealed"];

const recordsSql = `INSERT INTO records
  SELECT 'farm', key, value FROM ${before("meta")}
  UNION ALL SELECT 'preset', key, preset FROM ${before("presets")}
  UNION ALL SELECT 'view', page || '/' || name, json_object('page', page, 'name', name, 'search', json(search))
    FROM ${before("saved_views")}
  UNION ALL SELECT 'credential', name, json_object('name', name, 'kind', kind, 'prefix', prefix, 'bound', json(bound),
    'sealed', sealed, 'changed', changed) FROM ${before("credentials")}
  UNION ALL SELECT 'mounts', 'all', json_group_array(json_object('prefix', prefix, 'folders',
    json_patch('{}', json_object('posix', posix, 'win32', win32))) ORDER BY prefix) FROM ${before("mounts")}`;

const copyRows = (db: Database.Database, name: string): void => {
  const columns = db.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(name).join(", ");
  db.exec(`DELETE FROM ${name}; INSERT INTO ${name} (${columns}) SELECT ${columns} FROM ${before(name)}`);
};

const namesOf = (db: Database.Database, type: "table" | "index"): string[] =>
  db.prepare<[string], string>("SELECT name FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL").pluck().all(type);

/** Only programs up to version 29 encrypt what still older ones stored in plain text. */
const refusePlainTexts = (db: Database.Database, file: string): void => {
  const left = db.prepare<[], number>("SELECT count(*) FROM unsealed").pluck().get() ?? 0;
  if (left === 0 || isEmpty(db)) return;
  throw new AppError(
    "CONFLICT",
    `The database ${file} may still hold passwords in plain text: let the Mediafarm that it comes from run until it has encrypted them`,
  );
};

const isEmpty = (db: Database.Database): boolean =>
  db.prepare("SELECT 1 FROM job_definitions UNION ALL SELECT 1 FROM presets").get() === undefined;
