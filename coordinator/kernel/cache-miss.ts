import type { SubmissionName } from "../store/rows.ts";

/** How rows other than jobs are named in memory. */
export const idIn = {
  attempts: (counter: number) => counter,
  works: (task: number) => task,
  facts: (uri: string) => uri,
  listings: ({ task, page }: { readonly task: number; readonly page: number }) => `${task}\n${page}`,
  submissions: ({ who, key }: SubmissionName) => `${who}\n${key}`,
  gathered: ({ job, uid }: { readonly job: number; readonly uid: string }) => `${job}\n${uid}`,
};
/** What names a row of the table. */
export type RowOf<T extends keyof typeof idIn> = Parameters<(typeof idIn)[T]>[0];

/** The values that a decision needs and memory lacks. */
export type MissingRows = {
  readonly jobs?: readonly number[];
  /** Rows of jobs alone. */
  readonly heads?: readonly number[];
  /** With all their batches. */
  readonly wholeJobs?: readonly number[];
} & { readonly [T in keyof typeof idIn]?: readonly RowOf<T>[] };

/** A job's id, or the table and the key of another row. */
export type RowKey = number | string;

export const rowKey = (table: string, key: string | number): RowKey => `${table} ${key}`;

/** The line that decisions about the row wait in. Those that need gathered instances wait in the line of their job. */
export const keyOf = (table: keyof MissingRows, row: never): RowKey => {
  if (table === "jobs" || table === "heads" || table === "wholeJobs") return row;
  return table === "gathered" ? (row as RowOf<"gathered">).job : rowKey(table, idIn[table](row));
};

/** Thrown inside a decision, which runs again once it has what it needs. */
export class CacheMiss extends Error {
  override readonly name = "CacheMiss";
  readonly needs: MissingRows;
  /** Of these rows, and of others that an earlier decision waits for. */
  readonly keys: readonly RowKey[];
  constructor(needs: MissingRows, keys = keysOf(needs)) {
    super("not in memory");
    this.needs = needs;
    this.keys = keys;
  }
}

export const keysOf = (needs: MissingRows): RowKey[] =>
  Object.entries(needs).flatMap(
    ([table, rows]) => rows.map((row) => keyOf(table as keyof MissingRows, row as never)), // a row of this table
  );

/** All that several parts of a decision lack. */
export const joinMisses = (misses: readonly CacheMiss[]): CacheMiss => {
  const needs: Record<string, unknown[]> = {};
  for (const { needs: some } of misses)
    for (const [table, rows] of Object.entries(some)) needs[table] = distinct([...(needs[table] ?? []), ...rows]);
  return new CacheMiss(needs as MissingRows, distinct(misses.flatMap(({ keys }) => keys))); // the same tables
};

const distinct = <T>(rows: readonly T[]): T[] => [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
