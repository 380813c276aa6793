import type { Connections } from "../connections.ts";

/** So many changed rows are some hundred pages of the log. */
const changesAtOnce = 500;
/** Of a log that could not be begun anew in time, SQLite takes over as much as it can with each commit. */
export const mostLogPages = 4000;

/**
 * What was written goes from the log into the database without the loop: the reading thread copies it and waits for the disk, and
 * the loop copies what was written meanwhile. The thread reads nothing in between, so that there is a moment without a
 * snapshot in which the log begins anew. Without that moment, who always reads would have each commit wait for the disk twice.
 */
export const createCheckpoints = ({ writer, reader }: Pick<Connections, "writer" | "reader">) => {
  const changes = writer.prepare<[], number>("SELECT total_changes()").pluck();
  let before = 0;
  let running: Promise<void> | undefined;
  const copyRest = (): void => void writer.pragma("wal_checkpoint(PASSIVE)");

  return {
    /** Begins one if enough was written since the last. What fails is done by the next one, or by SQLite. */
    look: (): void => {
      const now = changes.get() ?? 0;
      if (running || now - before < changesAtOnce) return;
      before = now;
      running = reader
        .checkpoint(copyRest)
        .catch(() => undefined)
        .finally(() => {
          running = undefined;
        });
    },
    /** Resolves when none is under way. */
    settle: async (): Promise<void> => running,
  };
};
