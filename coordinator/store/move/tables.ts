/** A table as it is moved: its rows in the order of its key. */
export type MovedTable = {
  readonly name: string;
  readonly key: readonly string[];
  /** A new store has rows in it already, which are replaced. */
  readonly isPreset?: boolean;
};

const table = (name: string, ...key: readonly string[]): MovedTable => ({ name, key });

/** All tables of a farm, referenced ones first. Who leads comes last: before that, the store is no farm yet. */
export const movedTables: readonly MovedTable[] = [
  table("compute_groups", "name"),
  table("tag_limits", "tag"),
  table("nodes", "id"),
  table("jobs", "id"),
  table("job_counts", "status", "substatus"),
  table("job_definitions", "job_id"),
  table("job_schedules", "job_id"),
  table("deleted_jobs", "id"),
  table("element_runs", "job_id", "uid", "path"),
  table("tasks", "id"),
  table("attempts", "counter"),
  table("listings", "task_id", "page"),
  table("section_files", "uri"),
  table("facts", "uri"),
  table("submissions", "who", "key"),
  table("watched_files", "watch", "uri"),
  table("audit", "id"),
  table("alert_state", "id"),
  table("alert_messages", "id"),
  table("webhook_deliveries", "epoch", "nr"),
  table("trail", "id"),
  table("account", "id"),
  table("api_users", "id"),
  table("tokens", "hash"),
  table("people", "id"),
  table("links", "issuer", "subject"),
  table("sessions", "hash"),
  table("records", "kind", "key"),
  // A move that goes on after a break finds the ends of before in the new store.
  { name: "trail_ends", key: ["id"], isPreset: true },
  { name: "record_versions", key: ["kind"], isPreset: true },
  { name: "counters", key: ["name"], isPreset: true },
  { name: "lead", key: ["id"], isPreset: true },
];

/** Tables whose ids the engine counts: the last one that it gave moves as well, since ids do not return. */
export const numbered = ["people", "audit", "api_users", "alert_messages"] as const;

/**
 * Each try is a line of the old farm's audit, which moves with it: also of a move that is killed, and never ended. It stays the last
 * one there, unless the move fails or the farm is used again.
 */
export const moveActions = { begun: "beginMoveStore", resumed: "resumeMoveStore" } as const;

/** Where the leader is of a database out of which, or into which, a farm is moved: nowhere. */
export const movingAddress = "http://moving.invalid";

/** The record that a store has while a farm is moved into it. */
export const movingMark = { kind: "farm", key: "moving" } as const;

/** Everything but that record. */
const movedWhere = ({ name }: MovedTable): string =>
  name === "records" ? `NOT (kind = '${movingMark.kind}' AND key = '${movingMark.key}')` : "true";

export type MovedValue = string | number | null;
/** The values of a row, in the order of the columns. */
export type MovedRow = readonly MovedValue[];

/** A store as tables of plain values: texts, also of JSON and of what is sealed, numbers and null. */
export type RawTables = {
  /** The names of a table's columns, sorted. */
  readonly columns: (table: MovedTable) => Promise<readonly string[]>;
  /** All rows at one moment, some at a time. */
  readonly read: (table: MovedTable, columns: readonly string[]) => AsyncIterable<readonly MovedRow[]>;
  /** Inserts rows in one transaction; those that are there already stay. */
  readonly insert: (table: MovedTable, columns: readonly string[], rows: readonly MovedRow[]) => Promise<void>;
  readonly lastIds: () => Promise<Readonly<Record<(typeof numbered)[number], number>>>;
  readonly setLastIds: (ids: Readonly<Record<(typeof numbered)[number], number>>) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Rows that are read and written at a time. */
const rowsAtOnce = 500;

/** Reads a table page by page, each from the key of the last row on. `place` names a parameter by its number. */
export async function* readPages(
  table: MovedTable,
  columns: readonly string[],
  place: (nr: number) => string,
  ask: (sql: string, params: MovedRow) => Promise<MovedRow[]>,
): AsyncGenerator<MovedRow[]> {
  const key = table.key.join(", ");
  const after = `(${key}) > (${table.key.map((_, at) => place(at + 1)).join(", ")})`;
  const sql = (condition: string) =>
    `SELECT ${columns.join(", ")} FROM ${table.name} WHERE ${movedWhere(table)} AND ${condition} ORDER BY ${key} LIMIT ${rowsAtOnce}`;
  let rows = await ask(sql("true"), []);
  while (rows.length > 0) {
    yield rows;
    if (rows.length < rowsAtOnce) return;
    const last = rows.at(-1) ?? [];
    rows = await ask(
      sql(after),
      table.key.map((name) => last[columns.indexOf(name)] ?? null),
    );
  }
}
