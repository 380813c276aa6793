import { type Fence, fenceKey } from "../../shared/protocol/messages.ts";
import type { Intent } from "../../shared/work/work.ts";

/** What all fake nodes saw together: counted for people, kept for the audit. */
export type Book = ReturnType<typeof createBook>;

export const createBook = () => {
  const counts = new Map<string, number>();
  const violations: string[] = [];
  const assigned = new Map<string, Fence>();
  const granted = new Set<string>();
  const honest = new Set<string>();
  const recent: Fence[] = [];

  return {
    count: (what: string): void => {
      counts.set(what, (counts.get(what) ?? 0) + 1);
    },
    counts: (): Record<string, number> => Object.fromEntries([...counts].sort()),
    violate: (what: string): void => {
      violations.push(what);
    },
    violations: (): readonly string[] => violations,
    assign: (fence: Fence): void => {
      if (assigned.has(fenceKey(fence))) violations.push(`attempt ${fenceKey(fence)} was assigned twice`);
      assigned.set(fenceKey(fence), fence);
      recent.push(fence);
      if (recent.length > 1000) recent.splice(0, 500);
    },
    grant: ({ files }: Intent): void => {
      for (const { identity } of files) granted.add(identity);
    },
    /** The attempt has done what it was to do, and said so truly. */
    finish: (fence: Fence): void => {
      honest.add(fenceKey(fence));
    },
    honest: (): ReadonlySet<string> => honest,
    /** Attempts of anybody's, for those who lie. */
    recent: (): readonly Fence[] => recent,
    assigned: (): ReadonlyMap<string, Fence> => assigned,
    /** The bytes that some attempt was granted to show. */
    granted: (): ReadonlySet<string> => granted,
  };
};
