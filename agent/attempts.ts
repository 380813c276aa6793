import type { AgentMessage, Assignment, AttemptStatus, Fence, Progress, Report } from "../shared/protocol.ts";
import { fenceKey } from "../shared/protocol.ts";
import type { Intent } from "../shared/work.ts";
import { type AttemptNeeds, type Ended, runAttempt } from "./attempt.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { Log } from "./log.ts";
import { createLogTails } from "./log-tails.ts";
import { askCommit, askGrant, createOpenAttempt, type OpenAttempt } from "./open-attempt.ts";
import type { Outbox } from "./outbox.ts";
import type { Made } from "./records.ts";
import type { StorageView, StorageViewOf } from "./storage-view.ts";
import { createThrottle } from "./throttle.ts";

/** All attempts that this node holds, and what the coordinator's words do to them. */
export type Attempts = {
  /** Takes up what an earlier agent left on disk: verified and reported attempts; the rest is swept. */
  recover(): Promise<void>;
  statuses(): AttemptStatus[];
  /** After a welcome: drops what is not to be kept, then says again what may have been lost. */
  resume(welcome: Welcomed): Promise<void>;
  assign(assignment: Assignment): void;
  granted(fence: Fence): void;
  reportStored(fence: Fence): Promise<void>;
  /** Tells the attempt's log from there on, for so long. */
  tail(fence: Fence, from: number, forMs: number): void;
  /** Cancelled or stale: ends the attempt, shows nothing more of it and reports nothing. */
  drop(fence: Fence, why: string): Promise<void>;
  /** Ends what runs. Verified attempts and reports stay on disk for the next agent. */
  stop(): Promise<void>;
};

type Welcomed = {
  /** What `hello` named; what came after it is not the welcome's business. */
  readonly listed: readonly AttemptStatus[];
  readonly keep: readonly Fence[];
};

export type AttemptsNeeds = Omit<AttemptNeeds, "view"> & {
  /** An attempt keeps the one that it began with. */
  readonly viewOf: StorageViewOf;
  readonly outbox: Outbox;
  readonly send: (message: AgentMessage) => void;
  readonly log: Log;
  /** More assignments than this at once are refused: the coordinator counts slots, this only bounds a mistake. */
  readonly limit: number;
};

const progressMs = 500;

type Beginning = { readonly assignment: Assignment; readonly made: Made | undefined; readonly view: StorageView };

export const createAttempts = (needs: AttemptsNeeds): Attempts => {
  const { records, outbox, send, log } = needs;
  const all = new Map<string, OpenAttempt>();
  let isStopping = false;

  const hold = (assignment: OpenAttempt["assignment"], state: OpenAttempt["state"]): OpenAttempt => {
    const attempt = createOpenAttempt(assignment, state);
    all.set(fenceKey(assignment.fence), attempt);
    return attempt;
  };

  const report = async (attempt: OpenAttempt, { outcome, stats, log: text }: Ended): Promise<void> => {
    const { fence, taskId } = attempt.assignment;
    const finished: Report = { fence, taskId, outcome, stats, log: text };
    await outbox.put(finished);
    attempt.state = "reported";
    await needs.checkpoint("reported");
    send({ type: "report", report: finished });
  };

  const live = async (attempt: OpenAttempt, { assignment, made, view }: Beginning): Promise<void> => {
    const { fence } = assignment;
    const { signal } = attempt.abort;
    const onProgress = createThrottle<Progress>(needs.clock, progressMs, (progress) =>
      send({ type: "progress", fence, progress }),
    );
    const events = {
      onState: (state: OpenAttempt["state"]) => {
        attempt.state = state;
      },
      onProgress,
      onLog: (text: AttemptLog) => {
        attempt.log = text;
      },
      askGrant: (intent: Intent) => askGrant(attempt, intent, send),
    };
    try {
      const ended = await runAttempt({ assignment, made, signal, events }, { ...needs, view });
      if (!attempt.isDropped) await report(attempt, ended);
    } catch (error) {
      // Whoever aborted cleans up. Anything else is a fault of this node, such as a full data folder.
      if (!signal.aborted) log.error("An attempt broke off", { fence: fenceKey(fence), error });
    }
  };

  const tails = createLogTails({ clock: needs.clock, all: () => all.values(), send });

  const start = (attempt: OpenAttempt, beginning: Beginning): void => {
    attempt.done = live(attempt, beginning);
  };

  /** A folder that cannot be reached now is swept at the next start: its record stays. */
  const sweep = (fence: Fence): Promise<void> =>
    records
      .forget(fence)
      .catch((error) => log.warn("An attempt's files are left behind", { fence: fenceKey(fence), error }));

  const forget = async (fence: Fence): Promise<void> => {
    all.delete(fenceKey(fence));
    await outbox.remove(fence);
    await sweep(fence);
  };

  const drop = async (attempt: OpenAttempt, why: string): Promise<void> => {
    const { fence } = attempt.assignment;
    if (attempt.isDropped) return attempt.done;
    log.info("Dropping an attempt", { fence: fenceKey(fence), why });
    attempt.isDropped = true;
    attempt.abort.abort();
    await attempt.done;
    await forget(fence);
  };

  return {
    recover: async () => {
      const reports = new Set(outbox.waiting().map(({ fence }) => fenceKey(fence)));
      for (const { assignment, mounts, made } of await records.load()) {
        if (reports.has(fenceKey(assignment.fence))) continue;
        if (!made) {
          await sweep(assignment.fence);
          continue;
        }
        const attempt = hold(assignment, "verified");
        attempt.begin = () => start(attempt, { assignment, made, view: needs.viewOf(mounts) });
      }
      for (const each of outbox.waiting()) hold(each, "reported");
    },
    statuses: () =>
      [...all.values()]
        .filter(({ isDropped }) => !isDropped)
        .map(({ assignment: { fence, taskId }, state }) => ({ fence, taskId, state })),
    resume: async ({ listed, keep }) => {
      const kept = new Set(keep.map(fenceKey));
      const unwanted = listed.map(({ fence }) => fenceKey(fence)).filter((key) => !kept.has(key));
      for (const report of outbox.waiting()) if (kept.has(fenceKey(report.fence))) send({ type: "report", report });
      for (const attempt of all.values()) {
        if (!kept.has(fenceKey(attempt.assignment.fence))) continue;
        askCommit(attempt, send);
        attempt.begin?.();
        attempt.begin = undefined;
      }
      const dropped = unwanted.flatMap((key) => all.get(key) ?? []);
      await Promise.all(dropped.map((attempt) => drop(attempt, "the coordinator does not want it kept")));
    },
    assign: (assignment) => {
      const { fence } = assignment;
      if (isStopping) return; // the coordinator learns from the goodbye that nothing came of it
      if (all.has(fenceKey(fence))) return log.warn("An assignment came twice", { fence: fenceKey(fence) });
      const busy = [...all.values()].filter(({ state }) => state !== "reported").length;
      const attempt = hold(assignment, "running");
      send({ type: "started", fence });
      if (busy < needs.limit) return start(attempt, { assignment, made: undefined, view: needs.viewOf() });
      attempt.done = report(attempt, tooMany(busy)).catch((error) =>
        log.error("A refusal could not be kept", { error }),
      );
    },
    granted: (fence) => all.get(fenceKey(fence))?.waiting?.grant(),
    reportStored: async (fence) => {
      if (all.get(fenceKey(fence))?.state === "reported") await forget(fence);
    },
    tail: (fence, from, forMs) => {
      const attempt = all.get(fenceKey(fence));
      if (attempt) tails.begin(attempt, from, forMs);
    },
    drop: async (fence, why) => {
      const attempt = all.get(fenceKey(fence));
      if (attempt) await drop(attempt, why);
    },
    stop: async () => {
      isStopping = true;
      tails.stop();
      for (const { abort } of all.values()) abort.abort();
      await Promise.all([...all.values()].map(({ done }) => done));
      for (const { state, assignment } of all.values()) if (state === "running") await sweep(assignment.fence);
      await outbox.keep();
    },
  };
};

const tooMany = (busy: number): Ended => ({
  outcome: { outcome: "failed", failure: { cause: "resources", message: `This node holds ${busy} attempts already` } },
  stats: { wallMs: 0 },
  log: "",
});
