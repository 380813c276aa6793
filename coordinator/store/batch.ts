import type { Counters, TableName, Tables } from "./rows.ts";

export type Key = readonly (string | number)[];

/** One row before and after a decision; undefined: none. The store refuses to insert one twice, and to change none. */
export type ChangeOf<N extends TableName> = {
  readonly table: N;
  readonly key: Key;
  readonly before: Tables[N] | undefined;
  readonly after: Tables[N] | undefined;
  /** The job that the row belongs to. If the same batch removes it, only ends of its attempts are written beside. */
  readonly job?: number | undefined;
  /** Columns that are written but not kept in memory: the `work` of a task, `AttemptEnd`. Those not named stay. */
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
export const joinChanges = (changes: Iterable<Change>): Change[] => {
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
export const reverseChange = (change: Change): Change =>
  ({ ...change, before: change.after, after: change.before }) as Change; // of the same table

/**
 * Why a batch was not written. content: the store refuses a row, whose `cause` is told to who asked · disk: it is full,
 * fails or is out of reach · fenced: the lead is not at the batch before · unknown: it may have been written after all.
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
