import { orAborted } from "../../shared/basics/or-aborted.ts";
import type { Key } from "../../shared/credentials/credentials.ts";
import type { LocalTask } from "../../shared/lending/lending.ts";
import type { AgentMessage, Assignment, AttemptStatus } from "../../shared/protocol/messages.ts";
import type { Intent } from "../../shared/work/work.ts";
import type { AttemptLog } from "../steps/attempt-log.ts";

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
  log: Pick<AttemptLog, "since" | "text"> | undefined;
  /** Someone watches the log: send it from this offset on, until this time on the monotonic clock. */
  logWatch: { from: number; until: number } | undefined;
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
  logWatch: undefined,
});

export const isRunning = ({ state, isDropped }: OpenAttempt): boolean => state === "running" && !isDropped;

/** As shown to the owner. */
export const describeLocalTask = ({ assignment, percent, startedAt }: OpenAttempt, now: number): LocalTask => ({
  taskId: assignment.taskId,
  name: assignment.name ?? "",
  percent,
  workedMs: now - startedAt,
});

type Send = (message: AgentMessage) => void;

/** Asks for the grant. Repeated after each welcome, since the connection may have been lost before the answer. */
export const requestCommit = ({ assignment: { fence }, waiting }: OpenAttempt, send: Send): void => {
  if (waiting) send({ type: "commit", fence, intent: waiting.intent });
};

/** Resolves with the grant, over as many connections as it takes; rejects when the attempt is aborted. */
export const requestGrant = async (attempt: OpenAttempt, intent: Intent, send: Send): Promise<void> => {
  const { signal } = attempt.abort;
  signal.throwIfAborted();
  const granted = Promise.withResolvers<void>();
  attempt.waiting = { intent, grant: granted.resolve };
  requestCommit(attempt, send);
  await orAborted(granted.promise, signal).finally(() => {
    attempt.waiting = undefined;
  });
};
