import type { Counters, TableName, Tables } from "./rows.ts";

export type Key = readonly (string | number)[];

/** One row before and after a decision; undefined if it did not, or no longer does, exist. */
export type ChangeOf<N extends TableName> = {
  readonly table: N;
  readonly key: Key;
  readonly before: Tables[N] | undefined;
  readonly after: Tables[N] | undefined;
  /** The job that the row belongs to. */
  readonly job?: number | undefined;
  /** Columns that are written but not kept in memory. */
  readonly more?: Readonly<Record<string, unknown>> | undefined;
};

export type Change = { readonly [N in TableName]: ChangeOf<N> }[TableName];

/** All decisions of one turn of the loop; it becomes durable as a whole or not at all. */
export type Batch = {
  readonly epoch: number;
  /** The first of an epoch is 1. */
  readonly nr: number;
  /** One per row. */
  readonly changes: readonly Change[];
  readonly counters: Counters;
};

/** Merges changes of the same row: `before` of the first and `after` of the last. */
export const joined = (changes: Iterable<Change>): Change[] => {
  const rows = new Map<string, Change>();
  for (const change of changes) {
    const id = rowId(change);
    const known = rows.get(id);
    // Both are changes of the same table: they share its id.
    const both = known && ({ ...change, before: known.before, more: { ...known.more, ...change.more } } as Change);
    rows.set(id, both ?? change);
  }
  return [...rows.values()].filter(({ before, after }) => before !== undefined || after !== undefined);
};

export const rowId = ({ table, key }: Pick<Change, "table" | "key">): string => `${table} ${key.join(" ")}`;

/** The change that undoes this one. */
export const reversed = (change: Change): Change =>
  ({ ...change, before: change.after, after: change.before }) as Change; // of the same table

/**
 * Why a batch was not written. content: the store refuses a row · disk: it is full or fails · fenced: another
 * coordinator leads · unknown: it may have been written after all.
 */
export type RefusalKind = "content" | "disk" | "fenced" | "unknown";

export class StoreRefusal extends Error {
  override readonly name = "StoreRefusal";
  readonly kind: RefusalKind;
  constructor(kind: RefusalKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
