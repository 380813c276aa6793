import type { Key } from "../shared/credentials.ts";
import type { LocalTask } from "../shared/lending.ts";
import type { AgentMessage, Assignment, AttemptStatus } from "../shared/protocol.ts";
import type { Intent } from "../shared/work.ts";
import type { AttemptLog } from "./attempt-log.ts";

/** The state of an attempt that this node has not finished. */
export type OpenAttempt = {
  readonly assignment: Pick<Assignment, "fence" | "taskId"> & Partial<Pick<Assignment, "name">>;
  /** On the clock that stops while the work is suspended. */
  startedAt: number;
  percent: number | null;
  state: AttemptStatus["state"];
  readonly abort: AbortController;
  isDropped: boolean;
  /** The intent that waits for a grant. */
  waiting: { readonly intent: Intent; readonly grant: () => void } | undefined;
  /** Starts an attempt that was recovered from disk. */
  begin: ((keys?: readonly Key[]) => void) | undefined;
  done: Promise<void>;
  /** Its log while it runs; undefined before and after. */
  log: Pick<AttemptLog, "since"> | undefined;
  /** Someone watches the log: send it from this offset on, until this time on the monotonic clock. */
  tail: { from: number; until: number } | undefined;
};

export const createOpenAttempt = (assignment: OpenAttempt["assignment"], state: OpenAttempt["state"]): OpenAttempt => ({
  assignment,
  startedAt: 0,
  percent: null,
  state,
  abort: new AbortController(),
  isDropped: false,
  waiting: undefined,
  begin: undefined,
  done: Promise.resolve(),
  log: undefined,
  tail: undefined,
});

export const isRunning = ({ state, isDropped }: OpenAttempt): boolean => state === "running" && !isDropped;

/** As shown to the owner. */
export const localTaskOf = ({ assignment, percent, startedAt }: OpenAttempt, now: number): LocalTask => ({
  taskId: assignment.taskId,
  name: assignment.name ?? "",
  percent,
  workedMs: now - startedAt,
});

type Send = (message: AgentMessage) => void;

/** Asks for the grant. Repeated after each welcome, since the connection may have been lost before the answer. */
export const askCommit = ({ assignment: { fence }, waiting }: OpenAttempt, send: Send): void => {
  if (waiting) send({ type: "commit", fence, intent: waiting.intent });
};

/** Resolves with the grant, over as many connections as it takes; rejects when the attempt is aborted. */
export const askGrant = (attempt: OpenAttempt, intent: Intent, send: Send): Promise<void> =>
  new Promise((resolve, reject) => {
    const { signal } = attempt.abort;
    const settle = (then: () => void) => () => {
      attempt.waiting = undefined;
      signal.removeEventListener("abort", aborted);
      then();
    };
    const aborted = settle(() => reject(signal.reason));
    if (signal.aborted) return aborted();
    signal.addEventListener("abort", aborted);
    attempt.waiting = { intent, grant: settle(resolve) };
    askCommit(attempt, send);
  });
