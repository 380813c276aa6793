import type { EndedTask } from "../../shared/lending/lending.ts";
import { type AgentMessage, type Assignment, fenceKey, type Progress } from "../../shared/protocol/messages.ts";
import type { Log } from "../log.ts";
import type { StorageView } from "../paths/storage-view.ts";
import { type AttemptNeeds, type Ended, type RunAttempt, runAttempt } from "./attempt.ts";
import { acceptableReport } from "./message-limits.ts";
import { describeLocalTask, type OpenAttempt, requestGrant } from "./open-attempt.ts";
import type { Outbox } from "./outbox.ts";
import type { Made } from "./records.ts";
import { createLatestValueLimit } from "./throttle.ts";

export type AttemptRunnerNeeds = Omit<AttemptNeeds, "view"> & {
  readonly outbox: Outbox;
  readonly send: (message: AgentMessage) => void;
  readonly log: Log;
  readonly onEnded?: (task: Omit<EndedTask, "at">) => void;
};

export type Start = {
  readonly assignment: Assignment;
  /** From disk: the attempt was verified when an earlier agent died. */
  readonly made: Made | undefined;
  readonly view: StorageView;
};

/** Runs open attempts and reports how they ended. */
export type AttemptRunner = {
  start(attempt: OpenAttempt, start: Start): void;
  /** Reports the attempt as failed without starting it. */
  refuse(attempt: OpenAttempt, message: string): void;
};

const progressMs = 500;

export const createAttemptRunner = (needs: AttemptRunnerNeeds): AttemptRunner => {
  const { outbox, send, log } = needs;

  const report = async (attempt: OpenAttempt, { outcome, stats, log: text }: Ended): Promise<void> => {
    const { fence, taskId } = attempt.assignment;
    const finished = acceptableReport({ fence, taskId, outcome, stats, log: text });
    const { name, workedMs } = describeLocalTask(attempt, needs.clock.monotonic());
    needs.onEnded?.({ name, how: finished.outcome.outcome === "published" ? "done" : "failed", workedMs });
    await outbox.put(finished);
    attempt.state = "reported";
    await needs.checkpoint("reported");
    send({ type: "report", report: finished });
  };

  const run = async (attempt: OpenAttempt, { assignment, made, view }: Start): Promise<void> => {
    const { signal } = attempt.abort;
    try {
      const ended = await runAttempt(
        { assignment, made, signal, events: eventsOf(attempt, needs) },
        { ...needs, view },
      );
      if (!attempt.isDropped) await report(attempt, ended);
    } catch (error) {
      // Whoever aborted the attempt cleans up. Any other error is a fault of this node, such as a full data folder.
      if (!signal.aborted) log.error("An attempt ended without a report", { fence: fenceKey(assignment.fence), error });
    } finally {
      await view.release();
    }
  };

  return {
    start: (attempt, start) => {
      attempt.startedAt = needs.clock.monotonic();
      attempt.done = run(attempt, start);
    },
    refuse: (attempt, message) => {
      attempt.done = report(attempt, refusal(message)).catch((error) =>
        log.error("Could not store the report of a refused assignment", { error }),
      );
    },
  };
};

/** Records a running attempt's progress in its open attempt, and forwards what the coordinator needs. */
const eventsOf = (attempt: OpenAttempt, { clock, send }: AttemptRunnerNeeds): RunAttempt["events"] => ({
  onState: (state) => {
    attempt.state = state;
  },
  onProgress: createLatestValueLimit<Progress>(clock, progressMs, (progress) => {
    attempt.percent = progress.percent ?? attempt.percent;
    send({ type: "progress", fence: attempt.assignment.fence, progress });
  }),
  onLog: (log) => {
    attempt.log = log;
  },
  askGrant: (intent) => requestGrant(attempt, intent, send),
});

const refusal = (message: string): Ended => ({
  outcome: { outcome: "failed", failure: { cause: "resources", message } },
  stats: { wallMs: 0 },
  log: "",
});
