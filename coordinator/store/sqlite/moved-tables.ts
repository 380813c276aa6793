import Database from "better-sqlite3";
import { type MovedRow, type MovedTable, numbered, type RawTables, readPages } from "../move/tables.ts";

/** The tables of a database that another connection has opened and keeps locked. */
export const sqliteTables = (file: string): RawTables => {
  const db = new Database(file);
  db.pragma("foreign_keys = ON");
  db.pragma("synchronous = FULL");

  const insert = (table: MovedTable, columns: readonly string[], rows: readonly MovedRow[]): void => {
    const places = columns.map(() => "?").join(", ");
    const put = db.prepare(`INSERT OR IGNORE INTO ${table.name} (${columns.join(", ")}) VALUES (${places})`);
    db.transaction(() => {
      if (table.isPreset) db.exec(`DELETE FROM ${table.name}`);
      for (const row of rows) put.run(...row);
    }).immediate();
  };

  return {
    columns: async ({ name }) =>
      db
        .prepare<[string], { name: string }>("SELECT name FROM pragma_table_info(?) ORDER BY name")
        .all(name)
        .map((column) => column.name),
    read: (table, columns) =>
      readPages(
        table,
        columns,
        () => "?",
        async (sql, params) =>
          db
            .prepare<unknown[], MovedRow>(sql)
            .raw()
            .all(...params),
      ),
    insert: async (table, columns, rows) => insert(table, columns, rows),
    lastIds: async () => {
      const last = (name: string) =>
        db.prepare<[string], number>("SELECT seq FROM sqlite_sequence WHERE name = ?").pluck().get(name) ??
        db.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${name}`).pluck().get() ??
        0;
      return {
        ...{ people: last("people"), audit: last("audit"), api_users: last("api_users") },
        alert_messages: last("alert_messages"),
      };
    },
    setLastIds: async (ids) => {
      // Tables without a row here count by their highest id, which is never deleted.
      for (const name of numbered)
        if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'").get(name)) {
          db.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(name);
          db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(name, ids[name]);
        }
    },
    close: async () => void db.close(),
  };
};
