import type { Fence } from "../../../shared/protocol/messages.ts";
import { type AttemptEvent, attemptMachine } from "../../../shared/state/attempt.ts";
import { isFinal, next } from "../../../shared/state/machine.ts";
import type { AttemptEnd, AttemptRow } from "../../store/rows.ts";
import type { ChangeContext } from "./change-context.ts";

/** Changes of attempts. */
export const attemptChanges = ({ values, putIn, nextId, expect }: ChangeContext) => {
  const attempt = (counter: number): AttemptRow | undefined => {
    expect({ attempts: [counter] });
    return values.attempts.get(counter);
  };
  const put = (before: AttemptRow | undefined, after: AttemptRow, more: AttemptEnd = {}): AttemptRow => {
    const { counter, job_id: job } = after;
    putIn(values.attempts, counter, { table: "attempts", key: [counter], before, after, job, more: { ...more } });
    return after;
  };
  return {
    attempt,
    /** The attempt that the fence names; undefined if it is of another epoch. */
    attemptOf: ({ counter, epoch }: Fence): AttemptRow | undefined => {
      const found = attempt(counter);
      return found?.epoch === epoch ? found : undefined;
    },
    insertAttempt: (row: Omit<AttemptRow, "counter" | "state" | "ended">): AttemptRow =>
      put(undefined, { counter: nextId("attempts"), ...row, state: "assigned", ended: null }),
    /** Of an attempt that reports nothing. */
    noteLog: (row: AttemptRow, log: string): AttemptRow => put(row, row, { log }),
    moveAttempt: (
      before: AttemptRow,
      event: AttemptEvent,
      now: number,
      end: AttemptEnd = {},
    ): AttemptRow | undefined => {
      const state = next(attemptMachine, before.state, event);
      if (state === undefined) return undefined;
      return put(before, { ...before, state, ended: isFinal(attemptMachine, state) ? now : before.ended }, end);
    },
  };
};
