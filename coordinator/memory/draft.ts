import { jobChanges } from "./changes/jobs.ts";
import { createNotes } from "./changes/notes.ts";
import { otherChanges } from "./changes/others.ts";
import { taskChanges } from "./changes/tasks.ts";
import type { Values } from "./values.ts";

export type Draft = ReturnType<typeof createDraft>;

/**
 * One decision: what it changes in memory, how that is taken back, and what follows once it is durable. A task, a run or
 * an attempt moves by its machine alone; `undefined` says that the event means nothing in its state.
 */
export const createDraft = (values: Values) => {
  const notes = createNotes(values);
  const { changes, undos, effects, touched, weight } = notes;
  return {
    changes,
    undos,
    effects,
    touched,
    weight,
    /** The job's state is derived again before the decision ends. */
    touch: (jobId: number): void => {
      touched.add(jobId);
    },
    /** Runs once the decision is durable; it must carry its data. */
    after: (effect: () => void): void => {
      effects.push(effect);
    },
    /** Something else in memory was changed: this takes it back. */
    undo: (undo: () => void): void => {
      undos.push(undo);
    },
    ...jobChanges(notes),
    ...taskChanges(notes),
    ...otherChanges(notes),
  };
};
