import { jobChanges } from "./changes/jobs.ts";
import { createNotes } from "./changes/notes.ts";
import { otherChanges } from "./changes/others.ts";
import { runChanges } from "./changes/runs.ts";
import { taskChanges } from "./changes/tasks.ts";
import type { Values } from "./values.ts";

export type Draft = ReturnType<typeof createDraft>;

/**
 * One decision: its changes in memory, their undo, and the effects once it is durable. A task, a run or
 * an attempt changes only by its state machine; `undefined` means that the event has no effect in its state.
 */
export const createDraft = (values: Values) => {
  const notes = createNotes(values);
  const { changes, undos, effects, touched, weight, undo, after } = notes;
  return {
    changes,
    undos,
    effects,
    touched,
    weight,
    undo,
    after,
    /** The job's state is derived again at the end of the decision. */
    touch: (jobId: number): void => {
      touched.add(jobId);
    },
    ...jobChanges(notes),
    ...runChanges(notes),
    ...taskChanges(notes),
    ...otherChanges(notes),
  };
};
