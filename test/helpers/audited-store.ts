import { isDeepStrictEqual } from "node:util";
import type { Store } from "../../coordinator/store/store.ts";
import type { Farm } from "../../coordinator/work/farm.ts";
import { stored } from "./stored.ts";

/** Says of every batch that was written which of its jobs fail a check: at once, before memory goes on. */
export const audited = (
  store: Store,
  holds: (jobId: number) => boolean,
  tell: (wrong: readonly number[]) => void,
): Store => ({
  ...store,
  write: async (batch) => {
    const done = store.write(batch);
    // SQLite has written, or refused, by now. While this waits for `done`, memory may already be ahead of it.
    const ids = new Set(batch.changes.flatMap(({ job }) => (job === undefined ? [] : [job])));
    const wrong = [...ids].filter((id) => !holds(id));
    await done;
    if (wrong.length > 0) tell(wrong);
  },
});

/** Decisions are made on the one, the other is the truth: after every batch they are the same. */
export const isAsStored = (farm: Farm, id: number): boolean => {
  const value = farm.values.peekJob(id);
  const disk = stored(farm);
  if (!value?.row) return !value || disk.job(id) === undefined;
  const { row, runs, tasks, schedule } = value;
  const known = { row, runs: [...runs.values()], tasks: [...tasks.values()] };
  return (
    isDeepStrictEqual(asJson(known), asJson({ row: disk.job(id), runs: disk.runs(id), tasks: disk.rows(id) })) &&
    schedule !== undefined
  );
};

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
