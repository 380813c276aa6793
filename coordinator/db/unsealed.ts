import type { Db } from "./open.ts";

/** Tables whose texts may hold passwords, the columns of their keys, and the texts. */
const tables = {
  definitions: { table: "job_definitions", key: ["job_id"], text: "definition" },
  specs: { table: "job_definitions", key: ["job_id"], text: "elements" },
  presets: { table: "presets", key: ["key"], text: "preset" },
} as const;

export type UnsealedTable = keyof typeof tables;
type Key = readonly (string | number)[];

export type UnsealedRow = { readonly key: Key; readonly text: string };

/** Rows and characters that are looked at in one go, so that the loop is not held up. */
const most = { rows: 200, characters: 200_000 };

/** What was stored before passwords were encrypted, and how far it was looked through. */
export const createUnsealedStore = ({ writer, point, memo }: Db) => {
  const pending = point.prepare<[], { what: UnsealedTable; after: string }>("SELECT what, after FROM unsealed");
  const note = writer.prepare("UPDATE unsealed SET after = ? WHERE what = ?");
  const end = writer.prepare("DELETE FROM unsealed WHERE what = ?");

  return {
    /** Outside of a commit. */
    pending: (): { readonly what: UnsealedTable; readonly after: Key }[] =>
      pending.all().map(({ what, after }) => ({ what, after: JSON.parse(after) })),
    /** The next rows behind a key, one at least where there are any; outside of a commit. */
    rows: (what: UnsealedTable, after: Key): UnsealedRow[] => {
      const { table, key, text } = tables[what];
      const [keys, marks] = [key.join(", "), key.map(() => "?").join(", ")];
      const sql = `SELECT json_array(${keys}) AS key, ${text} AS text FROM ${table}
        WHERE (${keys}) > (${marks}) ORDER BY ${keys} LIMIT ${most.rows}`;
      const found: UnsealedRow[] = [];
      let characters = 0;
      for (const row of point.prepare<unknown[], { key: string; text: string }>(sql).iterate(...after)) {
        found.push({ key: JSON.parse(row.key), text: row.text });
        characters += row.text.length;
        if (characters > most.characters) break;
      }
      return found;
    },
    /** Only where nobody has changed it since it was read. What it was is overwritten on the disk. */
    replace: (what: UnsealedTable, { key, text: before }: UnsealedRow, after: string): void => {
      const { table, key: columns, text } = tables[what];
      const where = columns.map((column) => `${column} = ?`).join(" AND ");
      writer.pragma("secure_delete = ON");
      writer.prepare(`UPDATE ${table} SET ${text} = ? WHERE ${where} AND ${text} = ?`).run(after, ...key, before);
      writer.pragma("secure_delete = OFF");
      if (what === "specs") memo.forget(Number(key[0]));
    },
    noteAfter: (what: UnsealedTable, after: Key): void => {
      note.run(JSON.stringify(after), what);
    },
    noteEnd: (what: UnsealedTable): void => {
      end.run(what);
    },
    /** Outside of a commit: what the log of writes still holds of old rows goes, unless somebody is reading. */
    emptyLog: (): void => {
      const [{ timeout }] = writer.pragma("busy_timeout") as [{ timeout: number }]; // one row of one number
      writer.pragma("busy_timeout = 0");
      writer.pragma("wal_checkpoint(TRUNCATE)");
      writer.pragma(`busy_timeout = ${timeout}`);
    },
  };
};
