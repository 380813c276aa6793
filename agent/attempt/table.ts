import type { Clock } from "../../shared/basics/clock.ts";
import { type AgentMessage, type AttemptStatus, type Fence, fenceKey } from "../../shared/protocol/messages.ts";
import type { Log } from "../log.ts";
import { createOpenAttempt, type OpenAttempt } from "./open-attempt.ts";
import type { Outbox } from "./outbox.ts";
import type { Records } from "./records.ts";

/** The attempts that this node has open, by fence, and how to remove one with its files, record and report. */
export type AttemptTable = {
  open(assignment: OpenAttempt["assignment"], state: OpenAttempt["state"]): OpenAttempt;
  get(fence: Fence): OpenAttempt | undefined;
  all(): OpenAttempt[];
  /** What `hello` reports about them. */
  statuses(): AttemptStatus[];
  /** Aborts the attempt, and tells its log: whoever looks at it later wants to know how far it came. */
  endEarly(attempt: OpenAttempt): Promise<void>;
  /** The same, and removes everything it left. */
  drop(attempt: OpenAttempt, why: string): Promise<void>;
  forget(fence: Fence): Promise<void>;
  /**
   * Removes what the attempt left on disk, its report too. What cannot be reached, or written to, is tried again every
   * minute.
   */
  sweep(fence: Fence): Promise<void>;
  /** Tries nothing again: the next agent does. */
  stop(): void;
};

export type AttemptTableNeeds = {
  readonly records: Records;
  readonly outbox: Outbox;
  readonly log: Log;
  readonly send: (message: AgentMessage) => void;
  readonly clock: Pick<Clock, "after">;
};

const sweepAgainMs = 60_000;

export const createAttemptTable = ({ records, outbox, log, send, clock }: AttemptTableNeeds): AttemptTable => {
  const attempts = new Map<string, OpenAttempt>();

  const again = new Map<string, () => void>();
  let isStopped = false;

  const sweep = async (fence: Fence): Promise<void> => {
    const key = fenceKey(fence);
    try {
      await outbox.remove(fence);
      await records.forget(fence);
      again.delete(key);
    } catch (error) {
      if (!again.has(key)) log.warn("Could not remove an attempt's files", { fence: key, error });
      if (!isStopped)
        again.set(
          key,
          clock.after(sweepAgainMs, () => void sweep(fence)),
        );
    }
  };

  const forget = async (fence: Fence): Promise<void> => {
    attempts.delete(fenceKey(fence));
    await sweep(fence);
  };

  const endEarly = async (attempt: OpenAttempt): Promise<void> => {
    // The end of its work forgets it.
    const { log: written } = attempt;
    attempt.abort.abort();
    await attempt.done;
    const text = written?.text() ?? "";
    if (text !== "" && attempt.state === "running") send({ type: "ended", fence: attempt.assignment.fence, log: text });
  };

  return {
    endEarly,
    open: (assignment, state) => {
      const attempt = createOpenAttempt(assignment, state);
      attempts.set(fenceKey(assignment.fence), attempt);
      return attempt;
    },
    get: (fence) => attempts.get(fenceKey(fence)),
    all: () => [...attempts.values()],
    statuses: () =>
      [...attempts.values()]
        .filter(({ isDropped }) => !isDropped)
        .map(({ assignment: { fence, taskId }, state }) => ({ fence, taskId, state })),
    drop: async (attempt, why) => {
      const { fence } = attempt.assignment;
      if (attempt.isDropped) return attempt.done;
      log.info("Dropping an attempt", { fence: fenceKey(fence), why });
      attempt.isDropped = true;
      await endEarly(attempt);
      await forget(fence);
    },
    forget,
    sweep,
    stop: () => {
      isStopped = true;
      for (const cancel of again.values()) cancel();
    },
  };
};
