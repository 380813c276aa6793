import { type Change, joinChanges, reverseChange } from "../store/batch.ts";
import { type CacheMiss, idIn, type RowKey, rowKey } from "./cache-miss.ts";
import type { ChangeRequest, Decided } from "./request-lines.ts";
import { createTransaction, type Transaction } from "./transaction.ts";
import type { Values } from "./values.ts";

export type DeciderNeeds = {
  readonly values: Values;
  /** Called at the end of every decision, within it. */
  readonly complete: (draft: Transaction) => void;
  /** Updates the rest of memory after changes of rows: forward, and back if a batch was refused. */
  readonly applyToIndexes: (changes: readonly Change[]) => void;
};

/** Makes decisions in memory, and undoes them. */
export const createDecider = ({ values, complete, applyToIndexes }: DeciderNeeds) => {
  const revert = ({ undos }: Transaction): void => {
    for (const each of undos.toReversed()) each();
  };
  const pin = ({ changes }: Transaction, by: 1 | -1): void => {
    for (const change of changes) for (const key of pinsOf(change)) values.pin(key, by);
  };

  return {
    /** Returns the decision with its changes applied to memory, or the rows that it has to wait for. */
    decide: (request: ChangeRequest, isBehind: (key: RowKey) => boolean): Decided | CacheMiss => {
      const draft = createTransaction(values, isBehind);
      try {
        draft.expect(request.needs);
        const value = request.decide(draft);
        complete(draft);
        const missed = draft.missed();
        if (missed) throw missed;
        pin(draft, 1);
        applyToIndexes(joinChanges(draft.changes));
        return { request, draft, answer: () => request.resolve(value) };
      } catch (problem) {
        revert(draft);
        const missed = draft.missed(problem);
        return missed ?? { request, draft: createTransaction(values), answer: () => request.reject(problem) };
      }
    },
    /** Restores memory as it was before the decision. */
    undo: ({ draft }: Decided): void => {
      revert(draft);
      pin(draft, -1);
      applyToIndexes(joinChanges(draft.changes).map(reverseChange));
    },
    /** The decision is durable: releases its effects and its answer. */
    release: ({ request, draft, answer }: Decided): void => {
      pin(draft, -1);
      try {
        for (const effect of draft.effects) effect();
        answer();
      } catch (problem) {
        request.reject(problem);
      }
    },
  };
};

/** The values that a change concerns. */
const pinsOf = ({ table, key, job }: Change): RowKey[] => [
  ...(job === undefined ? [] : [job]),
  ...(table === "tasks" ? [rowKey("works", key[0] ?? 0)] : []),
  ...(table in idIn ? [rowKey(table, key.join("\n"))] : []),
];
