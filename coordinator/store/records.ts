/**
 * farm: single values · mounts: all in one record · credential: the vault's entries · view: filters of pages · join_token: those with limits.
 */
export type RecordKind = "farm" | "mounts" | "preset" | "view" | "credential" | "join_token";

export type StoredRecord = { readonly key: string; readonly value: string };

/** How many other records of a kind there are, and how many bytes their values have: of all, and of who changes this one. */
export type Others = {
  readonly all: number;
  readonly own: number;
  readonly allBytes: number;
  readonly ownBytes: number;
};

export const noOthers: Others = { all: 0, own: 0, allBytes: 0, ownBytes: 0 };

/** Texts by kind and key: what the farm keeps and what people set. Callers know what the texts mean. */
export type RecordStore = {
  readonly get: (kind: RecordKind, key: string) => Promise<string | undefined>;
  /** All of a kind, in the order of their keys. */
  readonly all: (kind: RecordKind) => Promise<StoredRecord[]>;
  /**
   * Stores what `decide` makes of the present value, undefined: nothing. It may run more than once; if it throws, nothing
   * changes. Two changes at the same time both take effect. A new record is `owner`'s, and stays theirs.
   */
  readonly change: (
    kind: RecordKind,
    key: string,
    decide: (value: string | undefined, others: Others) => string | undefined,
    owner?: string | null,
  ) => Promise<{ readonly before: string | undefined; readonly after: string | undefined }>;
  /** Rises with every change of a kind. */
  readonly version: (kind: RecordKind) => Promise<number>;
};

/** Keeps what is in memory like the store: gives `take` the records now, and at each call after somebody changed them. */
export const followRecords = (
  { records }: { readonly records: RecordStore },
  kind: RecordKind,
  take: (found: readonly StoredRecord[]) => void,
): (() => Promise<void>) => {
  let seen: number | undefined;
  return async () => {
    const version = await records.version(kind);
    if (version === seen) return;
    take(await records.all(kind));
    seen = version;
  };
};
