import type { Change, ChangeOf } from "../../store/batch.ts";
import type { TableName, Tables } from "../../store/rows.ts";
import { Missing } from "../missing.ts";
import type { Values } from "../values.ts";
import { rowWeight } from "../weight.ts";

export type Notes = ReturnType<typeof createNotes>;

/** One decision's changes in memory, their undo, and the effects once it is durable. */
export const createNotes = (values: Values) => {
  const changes: Change[] = [];
  const undos: (() => void)[] = [];
  const effects: (() => void)[] = [];
  const touched = new Set<number>();
  let large = 0;

  /** Records the change and applies it to memory. */
  const put = <N extends TableName>(change: ChangeOf<N>, assign: (row: Tables[N] | undefined) => void): void => {
    changes.push(change as Change); // the same shape: one table's row before and after
    undos.push(() => assign(change.before));
    assign(change.after);
  };
  const putIn = <K, N extends TableName>(map: Map<K, Tables[N] | undefined>, id: K, change: ChangeOf<N>): void => {
    const wasThere = map.has(id);
    put(change, (row) => {
      if (row === undefined && !wasThere) map.delete(id);
      else map.set(id, row);
    });
  };
  /** The same for a map that holds only rows that exist. */
  const putRow = <K, N extends TableName>(map: Map<K, Tables[N]>, id: K, change: ChangeOf<N>): void =>
    put(change, (row) => {
      if (row === undefined) map.delete(id);
      else map.set(id, row);
    });
  /** Counts data larger than a row, for the batch and for the job that keeps it. */
  const weigh = (bytes: number, jobId?: number): void => {
    large += bytes;
    if (jobId !== undefined) values.grow(jobId, bytes);
  };
  const nextId = (name: keyof Values["counters"]): number => {
    const before = values.counters[name];
    undos.push(() => {
      values.counters[name] = before;
    });
    values.counters[name] = before + 1;
    return before + 1;
  };

  return {
    values,
    changes,
    undos,
    effects,
    touched,
    /** The undo of another change in memory. */
    undo: (undo: () => void): void => {
      undos.push(undo);
    },
    /** Runs once the decision is durable; it must carry its data. */
    after: (effect: () => void): void => {
      effects.push(effect);
    },
    put,
    putIn,
    putRow,
    nextId,
    weigh,
    /** The value in memory under this key; throws Missing if it was not loaded. */
    known: <K, T>(map: Map<K, T | undefined>, id: K, needs: () => Missing["needs"]): T | undefined => {
      if (!map.has(id)) throw new Missing(needs());
      return map.get(id);
    },
    /** The approximate number of bytes of its changes until they are durable. */
    weight: (): number => rowWeight * changes.length + large,
  };
};
