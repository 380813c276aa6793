import { type MovedRow, type MovedTable, numbered, type RawTables, readPages } from "../move/tables.ts";
import type { Database } from "./connection/database.ts";
import { encodeText } from "./connection/encode-text.ts";

type Columns = ReadonlyMap<string, string>;

/** The tables of a database whose lease the mover holds. */
export const postgresTables = ({ ask, transaction, close }: Database): RawTables => {
  const typesOf = async ({ name }: MovedTable): Promise<Columns> => {
    const found = await ask<{ name: string; type: string }>(
      `SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = $1`,
      name,
    );
    return new Map(found.map(({ name: column, type }) => [column, type]));
  };
  return {
    columns: async (table) => [...(await typesOf(table)).keys()].sort(),
    read: (table, columns) =>
      readPages(
        table,
        columns,
        (nr) => `$${nr}`,
        async (sql, params) =>
          (await ask<Record<string, MovedRow[number]>>(sql, ...params)).map((row) =>
            columns.map((name) => row[name] ?? null),
          ),
      ),
    insert: async (table, columns, rows) => {
      const sql = insertSql(table, columns, await typesOf(table));
      const json = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, given(row[at])])));
      await transaction("write", async (within) => {
        if (table.isPreset) await within(`DELETE FROM ${table.name}`);
        await within(sql, JSON.stringify(json));
      });
    },
    lastIds: async () => {
      const last = async (name: string) => {
        const [row] = await ask<{ n: number }>(
          `SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('${name}', 'id')::regclass), 0) AS n`,
        );
        return row?.n ?? 0;
      };
      const [people = 0, audit = 0, api_users = 0, alert_messages = 0] = await Promise.all(
        ["people", "audit", "api_users", "alert_messages"].map(last),
      );
      return { people, audit, api_users, alert_messages };
    },
    setLastIds: async (ids) => {
      for (const name of numbered)
        if (ids[name] > 0) await ask(`SELECT setval(pg_get_serial_sequence('${name}', 'id'), $1)`, ids[name]);
    },
    close,
  };
};

const given = (value: unknown): unknown => (typeof value === "string" ? encodeText(value) : value);

/** JSON comes as text within the parameter, so that its own characters stay what they are. */
const insertSql = ({ name }: MovedTable, columns: readonly string[], types: Columns): string => {
  const typeOf = (column: string) => types.get(column) ?? "text";
  const source = columns.map((column) => `${column} ${typeOf(column) === "json" ? "text" : typeOf(column)}`);
  const values = columns.map((column) => `r.${column}${typeOf(column) === "json" ? "::json" : ""}`);
  return `INSERT INTO ${name} (${columns.join(", ")})
    SELECT ${values.join(", ")} FROM json_to_recordset($1) AS r(${source.join(", ")}) ON CONFLICT DO NOTHING`;
};
