import { assign } from "../../../media/instances/undo-log.ts";
import type { Change, ChangeOf } from "../../store/batch.ts";
import type { TableName, Tables } from "../../store/rows.ts";
import { CacheMiss, joinMisses, keyOf, keysOf, type MissingRows, type RowKey } from "../cache-miss.ts";
import type { JobValue } from "../job-value.ts";
import type { Values } from "../values.ts";
import { rowWeight } from "../weight.ts";

type UndoLog = ReturnType<typeof createUndoLog>;

/** What the changes of all nouns are made with. */
export type ChangeContext = { readonly values: Values } & ReturnType<typeof createLookup> &
  UndoLog &
  ReturnType<typeof createRowChanges>;

/**
 * What one decision looks up in memory. `isBehind` says that an earlier decision waits for the row, so this one may not
 * touch it yet.
 */
export const createLookup = (values: Values, isBehind: (key: RowKey) => boolean) => {
  const misses: CacheMiss[] = [];
  return {
    job: (id: number): JobValue => {
      if (isBehind(id)) throw new CacheMiss({}, [id]);
      return values.job(id);
    },
    /** Throws one miss for all rows of these that memory lacks. */
    expect: (needs: MissingRows): void => {
      const isLacking = (table: keyof MissingRows, row: never) =>
        !values.isThere(table, row) || isBehind(keyOf(table, row));
      for (const table of Object.keys(needs) as (keyof MissingRows)[]) // Object.keys forgets the names
        for (const row of needs[table] ?? [])
          if (isLacking(table, row as never)) throw new CacheMiss(values.lacking(needs) ?? {}, keysOf(needs));
    },
    /** Does a part of a decision that the others do not need, so that the rows that all parts lack are loaded at once. */
    part: (act: () => void): void => {
      try {
        act();
      } catch (problem) {
        if (problem instanceof CacheMiss) misses.push(problem);
        else if (misses.length === 0) throw problem; // otherwise the decision runs again in any case
      }
    },
    /** What its parts lacked, and the decision itself if that is the problem. */
    missed: (problem?: unknown): CacheMiss | undefined => {
      const all = problem instanceof CacheMiss ? [...misses, problem] : misses;
      return all.length > 1 ? joinMisses(all) : all[0];
    },
  };
};

/** One decision's changes in memory, their undo, and the effects once it is durable. */
export const createUndoLog = () => {
  const changes: Change[] = [];
  const undos: (() => void)[] = [];
  const effects: (() => void)[] = [];
  return {
    changes,
    undos,
    effects,
    /** The undo of another change in memory. */
    undo: (undo: () => void): void => void undos.push(undo),
    /** Runs once the decision is durable; it must carry its data. */
    after: (effect: () => void): void => void effects.push(effect),
  };
};

/** Changes of rows: each is recorded for the batch, and applied to memory. */
export const createRowChanges = (values: Values, { changes, undo }: UndoLog) => {
  let large = 0;
  const put = <N extends TableName>(change: ChangeOf<N>, apply: (row: Tables[N] | undefined) => void): void => {
    changes.push(change as Change); // the same shape: one table's row before and after
    undo(() => apply(change.before));
    apply(change.after);
  };
  return {
    put,
    putIn: <K, N extends TableName>(map: Map<K, Tables[N] | undefined>, id: K, change: ChangeOf<N>): void => {
      const wasThere = map.has(id);
      put(change, (row) => {
        if (row === undefined && !wasThere) map.delete(id);
        else map.set(id, row);
      });
    },
    /** The same for a map that holds only rows that exist. */
    putRow: <K, N extends TableName>(map: Map<K, Tables[N]>, id: K, change: ChangeOf<N>): void =>
      put(change, (row) => {
        if (row === undefined) map.delete(id);
        else map.set(id, row);
      }),
    nextId: (name: keyof Values["counters"]): number => {
      assign(undo, values.counters, name, values.counters[name] + 1);
      return values.counters[name];
    },
    /** Counts data larger than a row, for the batch and for the job that keeps it. */
    weigh: (bytes: number, jobId?: number): void => {
      large += bytes;
      if (jobId !== undefined) values.grow(jobId, bytes);
    },
    /** The approximate number of bytes of the changes until they are durable. */
    weight: (): number => rowWeight * changes.length + large,
  };
};
