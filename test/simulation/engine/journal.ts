import { createHash } from "node:crypto";

/** Everything that happens, in order: hashed as it comes, and counted by kind. Two runs of a seed have the same. */
export type Journal = {
  /** `kind` is one word; `what` is its detail. */
  readonly note: (who: string, kind: string, what?: string) => void;
  readonly hash: () => string;
  readonly counts: ReadonlyMap<string, number>;
  /** The latest lines; all of them where the journal was told to keep them. */
  readonly lines: () => readonly Line[];
};

export type Line = { readonly at: number; readonly who: string; readonly kind: string; readonly what: string };

/** So many lines are kept where nobody asked for all. */
const mostKept = 200;

export const createJournal = (now: () => number, keepsAll = false): Journal => {
  const hash = createHash("sha256");
  const counts = new Map<string, number>();
  const lines: Line[] = [];
  return {
    counts,
    note: (who, kind, what = "") => {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      hash.update(`${now().toFixed(4)} ${who} ${kind} ${what}\n`);
      lines.push({ at: now(), who, kind, what });
      if (!keepsAll && lines.length > 2 * mostKept) lines.splice(0, mostKept);
    },
    hash: () => hash.copy().digest("hex"),
    lines: () => lines,
  };
};
