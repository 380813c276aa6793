import { hash } from "node:crypto";

/** What somebody changed, or was refused. */
export type NewTrailLine = {
  /** Milliseconds of Unix time. */
  readonly at: number;
  readonly who: string;
  /** From where: an address, or a word such as `this machine`. */
  readonly origin: string;
  /** The name of a route, or of what else happened. */
  readonly action: string;
  /** `done`, or the code of the refusal. */
  readonly outcome: string;
  /** What it was done to and how: `name=value`, separated by spaces. */
  readonly about: string;
};
/** Its number counts up from 1 without gaps; its hash covers it and the hash of the line before. */
export type TrailRow = NewTrailLine & { readonly id: number; readonly hash: string };

/** Where the kept lines begin and end. `isSealed`: the farm itself wrote this, with its key. */
export type TrailEnds = {
  /** The number of the first kept line, and the hash of the line before it, which retention has removed. */
  readonly first: number;
  readonly before: string;
  /** The last line; 0 and the hash before the first one where none was written yet. */
  readonly last: number;
  readonly hash: string;
  readonly isSealed: boolean;
};

export type TrailSearch = {
  /** Part of any field; ASCII letters of both cases are the same. */
  readonly text?: string | undefined;
  readonly outcome?: "done" | "refused" | undefined;
  /** Only lines with lower numbers. */
  readonly before?: number | undefined;
};

/**
 * Everything that was changed or refused. Lines are only added; the oldest may be removed, and the ends say where the
 * chain then begins.
 */
export type TrailStore = {
  /** Adds lines at the end, and removes those beyond the newest `keep`, some at a time. */
  readonly add: (lines: readonly NewTrailLine[], keep: number) => Promise<void>;
  /** The newest first. */
  readonly find: (search: TrailSearch, take: number) => Promise<TrailRow[]>;
  /** The lines after a number, the oldest first. */
  readonly after: (id: number, take: number) => Promise<TrailRow[]>;
  /** Undefined before the first line. */
  readonly ends: () => Promise<TrailEnds | undefined>;
};

/** Older lines are removed. A line takes about 300 bytes. */
export const keptLines = 1_000_000;

/** The most lines that one addition removes. */
export const trimmedAtOnce = 1000;

/** The hash before the first line of all. */
export const noHash = "0".repeat(64);

/** SHA-256 of the hash before, a line feed, and the line's fields as a JSON array. Anybody can compute it of an export. */
export const trailHash = (
  before: string,
  { id, at, who, origin, action, outcome, about }: Omit<TrailRow, "hash">,
): string => hash("sha256", `${before}\n${JSON.stringify([id, at, who, origin, action, outcome, about])}`);

/** Numbers lines and chains them to the last one. */
export const chained = (
  lines: readonly NewTrailLine[],
  { last, hash: before }: Pick<TrailEnds, "last" | "hash">,
): TrailRow[] => {
  let [id, previous] = [last, before];
  return lines.map((line) => {
    id += 1;
    previous = trailHash(previous, { ...line, id });
    return { ...line, id, hash: previous };
  });
};

/** What is sealed of the ends. */
export const endsText = ({ first, before, last, hash: end }: Omit<TrailEnds, "isSealed">): string =>
  [first, before, last, end].join(" ");

/** The ends at the beginning. */
export const noEnds = { first: 1, before: noHash, last: 0, hash: noHash };
