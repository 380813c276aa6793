/** farm: single values · mounts: all in one record · credential: the vault's entries · view: filters of pages. */
export type RecordKind = "farm" | "mounts" | "preset" | "view" | "credential";

export type StoredRecord = { readonly key: string; readonly value: string };

/** Texts by kind and key: what the farm keeps and what people set. Callers know what the texts mean. */
export type RecordStore = {
  readonly get: (kind: RecordKind, key: string) => Promise<string | undefined>;
  /** All of a kind, in the order of their keys. */
  readonly all: (kind: RecordKind) => Promise<StoredRecord[]>;
  /**
   * Stores what `decide` makes of the present value, undefined: nothing. `others` is the number of other records of the
   * kind. It may run more than once; if it throws, nothing changes. Two changes at the same time both take effect.
   */
  readonly change: (
    kind: RecordKind,
    key: string,
    decide: (value: string | undefined, others: number) => string | undefined,
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
