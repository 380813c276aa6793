import type { Store } from "../store/store.ts";
import { type TrailEnds, type TrailRow, trailHash } from "../store/trail.ts";

/** What a check of the whole chain found. */
export type TrailCheck = {
  readonly lines: number;
  /** The numbers of the first and the last line; null if there is none. */
  readonly first: number | null;
  readonly last: number | null;
  /** The first thing that is wrong; null if nothing is. */
  readonly problem: string | null;
};

const readAtOnce = 1000;
/** Lines are added and removed while it reads. */
const mostTries = 3;

/** Follows the chain from its anchor to its end. */
export const checkTrail = async (store: Pick<Store, "trail">): Promise<TrailCheck> => {
  for (let tries = 1; ; tries += 1) {
    const ends = await store.trail.ends();
    const checked = await checkFrom(store, ends);
    const now = checked.problem === null ? ends : await store.trail.ends();
    if (tries === mostTries || now?.first === ends?.first) return checked;
  }
};

const checkFrom = async (store: Pick<Store, "trail">, ends: TrailEnds | undefined): Promise<TrailCheck> => {
  if (!ends) {
    const [line] = await store.trail.after(0, 1);
    return { ...none, problem: line ? "The record of where the lines begin and end is missing" : null };
  }
  const { first, last } = ends;
  const about = { lines: last - first + 1, first: last < first ? null : first, last: last < first ? null : last };
  if (!ends.isSealed)
    return { ...about, problem: "The record of where the lines begin and end was altered, or sealed with another key" };
  return { ...about, problem: (await problemOf(store, ends)) ?? null };
};

const none = { lines: 0, first: null, last: null };

const problemOf = async (store: Pick<Store, "trail">, ends: TrailEnds): Promise<string | undefined> => {
  const chain = createChainCheck(ends.first, ends.before);
  for (let from = ends.first - 1; from < ends.last; from += readAtOnce) {
    const rows = (await store.trail.after(from, readAtOnce)).filter(
      ({ id }) => id <= Math.min(ends.last, from + readAtOnce),
    );
    for (const row of rows) {
      const problem = chain.take(row);
      if (problem !== undefined) return problem;
    }
  }
  return chain.end(ends.last, ends.hash);
};

/** Takes the lines of a chain in their order, and says what is wrong. Nothing more is worth saying after that. */
export const createChainCheck = (first: number, before: string | undefined) => {
  let [next, hash] = [first, before];
  return {
    take: (row: TrailRow): string | undefined => {
      if (row.id < next) return `Line ${row.id} comes after line ${next - 1}`;
      if (row.id > next) return missing(next, row.id - 1);
      // Without the hash before the first line, as in a part of an export, that line only begins the chain.
      if (hash !== undefined && trailHash(hash, row) !== row.hash)
        return `Line ${row.id} was altered, or stands in another's place`;
      [next, hash] = [row.id + 1, row.hash];
      return undefined;
    },
    end: (last: number, end: string): string | undefined => {
      if (next <= last) return missing(next, last);
      return hash === undefined || hash === end ? undefined : `Line ${last} is not the one that was written last`;
    },
  };
};

const missing = (from: number, to: number): string =>
  from === to ? `Line ${from} is missing` : `Lines ${from} to ${to} are missing`;
