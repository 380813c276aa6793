import type { RowKey } from "./cache-miss.ts";
import { attemptChanges } from "./changes/attempts.ts";
import { createLookup, createRowChanges, createUndoLog } from "./changes/change-context.ts";
import { fileChanges } from "./changes/files.ts";
import { jobChanges } from "./changes/jobs.ts";
import { nodeChanges } from "./changes/nodes.ts";
import { graphChanges, runChanges } from "./changes/runs.ts";
import { taskChanges } from "./changes/tasks.ts";
import { webhookChanges } from "./changes/webhooks.ts";
import type { Values } from "./values.ts";

export type Transaction = ReturnType<typeof createTransaction>;

/**
 * One decision: its changes in memory, their undo, and the effects once it is durable. A task, a run or
 * an attempt changes only by its state machine; `undefined` means that the event has no effect in its state.
 */
export const createTransaction = (values: Values, isBehind: (key: RowKey) => boolean = () => false) => {
  const own = { ...createLookup(values, isBehind), ...createUndoLog() };
  const context = { values, ...own, ...createRowChanges(values, own) };
  const touched = new Set<number>();
  return {
    ...own,
    weight: context.weight,
    touched,
    /** The job's state is derived again at the end of the decision. */
    touch: (jobId: number): void => void touched.add(jobId),
    ...jobChanges(context),
    ...runChanges(context),
    ...graphChanges(context),
    ...taskChanges(context),
    ...attemptChanges(context),
    ...fileChanges(context),
    ...nodeChanges(context),
    ...webhookChanges(context),
  };
};
