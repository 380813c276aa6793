import type { Key } from "../../shared/credentials/credentials.ts";
import type { LocalTask } from "../../shared/lending/lending.ts";
import { type Assignment, type AttemptStatus, type Fence, fenceKey } from "../../shared/protocol/messages.ts";
import type { StorageViewOf } from "../paths/storage-view.ts";
import { createLiveLogs } from "./live-logs.ts";
import { describeLocalTask, isRunning, type OpenAttempt, requestCommit } from "./open-attempt.ts";
import { type AttemptRunner, type AttemptRunnerNeeds, createAttemptRunner } from "./runner.ts";
import { type AttemptTable, createAttemptTable } from "./table.ts";

/** All attempts that this node has open, and how the coordinator's messages change them. */
export type Attempts = {
  /** Restores verified and reported attempts that an earlier agent left on disk. Removes all other files. */
  recover(): Promise<void>;
  statuses(): AttemptStatus[];
  /** The running attempts, as shown to this computer's owner. */
  running(): LocalTask[];
  /** After a welcome: drops the attempts that the coordinator does not keep, then repeats messages that may be lost. */
  resume(welcome: Welcomed): Promise<void>;
  assign(assignment: Assignment): void;
  granted(fence: Fence): void;
  reportStored(fence: Fence): Promise<void>;
  /** The storage credentials of an attempt that an earlier agent began. */
  keys(fence: Fence, keys: readonly Key[]): Promise<void>;
  /** Sends the attempt's log from this offset on, for this long. */
  watchLog(fence: Fence, from: number, forMs: number): void;
  /** Cancelled or stale: ends the attempt, publishes nothing more and reports nothing. */
  drop(fence: Fence, why: string): Promise<void>;
  /** Ends running attempts and tells the coordinator, which starts them on other nodes. Verified ones are reported. */
  giveBack(why: string): Promise<void>;
  /** Ends running attempts. Verified attempts and reports stay on disk for the next agent. */
  stop(): Promise<void>;
};

type Welcomed = {
  /** The attempts that `hello` named. The welcome does not affect later ones. */
  readonly listed: readonly AttemptStatus[];
  readonly keep: readonly Fence[];
};

export type AttemptsNeeds = AttemptRunnerNeeds & {
  /** An attempt keeps the view that it started with. */
  readonly viewOf: StorageViewOf;
  /** More open assignments than this are refused. The coordinator counts slots; this only guards against bugs. */
  readonly limit: number;
  /** Why this node accepts no tasks now: an assignment that arrives anyway is returned. */
  readonly refusal?: () => string | undefined;
};

export const createAttempts = (needs: AttemptsNeeds): Attempts => {
  const { outbox, send, log, viewOf } = needs;
  const table = createAttemptTable(needs);
  const runner = createAttemptRunner(needs);
  const liveLogs = createLiveLogs({ clock: needs.clock, all: table.all, send });
  const parts: Parts = { needs, table, runner };
  let isStopping = false;

  return {
    recover: () => recover(parts),
    statuses: table.statuses,
    running: () => runningIn(parts).map(({ task }) => task),
    giveBack: (why) => giveBack(parts, why),
    resume: (welcome) => resume(parts, welcome),
    assign: (assignment) => {
      const { fence } = assignment;
      if (isStopping) return; // the goodbye tells the coordinator that this assignment did not start
      if (table.get(fence)) return log.warn("Ignored a repeated assignment", { fence: fenceKey(fence) });
      const why = needs.refusal?.();
      if (why !== undefined) return send({ type: "returned", fence, why });
      const busy = table.all().filter(({ state }) => state !== "reported").length;
      const attempt = table.open(assignment, "running");
      send({ type: "started", fence });
      if (busy < needs.limit)
        return runner.start(attempt, { assignment, made: undefined, view: viewOf({ secrets: assignment.keys }) });
      runner.refuse(attempt, `This node already has ${busy} attempts`);
    },
    granted: (fence) => table.get(fence)?.waiting?.grant(),
    reportStored: async (fence) => {
      if (table.get(fence)?.state === "reported") await table.forget(fence);
    },
    keys: async (fence, keys) => {
      needs.records.unlock(fence, keys);
      const attempt = table.get(fence);
      if (attempt) begin(attempt, keys);
      else await table.sweep(fence);
    },
    watchLog: (fence, from, forMs) => {
      const attempt = table.get(fence);
      if (attempt) liveLogs.begin(attempt, from, forMs);
    },
    drop: async (fence, why) => {
      const attempt = table.get(fence);
      if (attempt) await table.drop(attempt, why);
    },
    stop: async () => {
      isStopping = true;
      liveLogs.stop();
      table.stop();
      await Promise.all(table.all().map(table.endEarly));
      for (const { state, assignment } of table.all()) if (state === "running") await table.sweep(assignment.fence);
      await outbox.keep();
    },
  };
};

type Parts = {
  readonly needs: AttemptsNeeds;
  readonly table: AttemptTable;
  readonly runner: AttemptRunner;
};

const recover = async ({ needs: { records, outbox, viewOf }, table, runner }: Parts): Promise<void> => {
  const reports = new Set(outbox.waiting().map(({ fence }) => fenceKey(fence)));
  for (const { assignment, mounts, made } of await records.load()) {
    if (reports.has(fenceKey(assignment.fence))) continue;
    if (!made) {
      await table.sweep(assignment.fence);
      continue;
    }
    const attempt = table.open(assignment, "verified");
    attempt.begin = (secrets) => runner.start(attempt, { assignment, made, view: viewOf({ mounts, secrets }) });
  }
  for (const report of outbox.waiting()) table.open(report, "reported");
};

const runningIn = ({ needs: { clock }, table }: Parts) =>
  table
    .all()
    .filter(isRunning)
    .map((attempt) => ({ attempt, task: describeLocalTask(attempt, clock.monotonic()) }));

const giveBack = async (parts: Parts, why: string): Promise<void> => {
  const { needs, table } = parts;
  const returned = runningIn(parts).map(async ({ attempt, task: { name, workedMs } }) => {
    needs.onEnded?.({ name, how: "givenBack", workedMs });
    await table.drop(attempt, why);
    needs.send({ type: "returned", fence: attempt.assignment.fence, why });
  });
  await Promise.all(returned);
};

const resume = async ({ needs, table }: Parts, { listed, keep }: Welcomed): Promise<void> => {
  const { records, outbox, send } = needs;
  const kept = new Set(keep.map(fenceKey));
  const unwanted = listed.filter(({ fence }) => !kept.has(fenceKey(fence)));
  const locked = new Set(records.locked().map(fenceKey));
  for (const fence of records.locked()) send({ type: "request_keys", fence });
  for (const report of outbox.waiting()) if (kept.has(fenceKey(report.fence))) send({ type: "report", report });
  for (const attempt of table.all()) {
    if (!kept.has(fenceKey(attempt.assignment.fence))) continue;
    requestCommit(attempt, send);
    if (!locked.has(fenceKey(attempt.assignment.fence))) begin(attempt);
  }
  const dropped = unwanted.flatMap(({ fence }) => table.get(fence) ?? []);
  await Promise.all(dropped.map((attempt) => table.drop(attempt, "the coordinator does not keep it")));
};

/** Continues an attempt of an earlier agent, once. */
const begin = (attempt: OpenAttempt, keys?: readonly Key[]): void => {
  attempt.begin?.(keys);
  attempt.begin = undefined;
};
