import type { UnsealedRow, UnsealedStore, UnsealedTable } from "../store.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

/** Tables whose texts may hold passwords, their key columns, and the text columns. */
const tables = {
  definitions: { table: "job_definitions", key: ["job_id"], text: "definition" },
  specs: { table: "job_definitions", key: ["job_id"], text: "elements" },
  presets: { table: "presets", key: ["key"], text: "preset" },
} as const satisfies Record<UnsealedTable, object>;

/** Rows and characters processed in one go, so that the loop is not blocked. */
const most = { rows: 200, characters: 200_000 };

export const createUnsealedStore = ({ writer, point }: Connections): UnsealedStore => {
  const pending = point.prepare<[], { what: UnsealedTable; after: string }>("SELECT what, after FROM unsealed");
  const note = writer.prepare("UPDATE unsealed SET after = ? WHERE what = ?");
  const end = writer.prepare("DELETE FROM unsealed WHERE what = ?");

  /** Only if nobody has changed it since it was read. Its old value is overwritten on disk. */
  const replace = (what: UnsealedTable, { key, text: before }: UnsealedRow, after: string): void => {
    const { table, key: columns, text } = tables[what];
    const where = columns.map((column) => `${column} = ?`).join(" AND ");
    writer.prepare(`UPDATE ${table} SET ${text} = ? WHERE ${where} AND ${text} = ?`).run(after, ...key, before);
  };
  const seal = createOperation(writer)<Parameters<UnsealedStore["seal"]>, void>((what, sealed, last) => {
    for (const { row, text } of sealed) replace(what, row, text);
    if (last) note.run(JSON.stringify(last), what);
    else end.run(what);
  });

  return {
    pending: async () => pending.all().map(({ what, after }) => ({ what, after: JSON.parse(after) })),
    rows: async (what, after) => {
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
    seal: async (...what) => {
      writer.pragma("secure_delete = ON");
      try {
        await seal(...what);
      } finally {
        writer.pragma("secure_delete = OFF");
      }
    },
    emptyLog: async () => {
      const [{ timeout }] = writer.pragma("busy_timeout") as [{ timeout: number }]; // one row of one number
      writer.pragma("busy_timeout = 0");
      writer.pragma("wal_checkpoint(TRUNCATE)");
      writer.pragma(`busy_timeout = ${timeout}`);
    },
  };
};
