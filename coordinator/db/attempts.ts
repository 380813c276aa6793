import type { Cause, Failure } from "../../shared/causes.ts";
import type { AttemptStats, Fence } from "../../shared/protocol.ts";
import { type AttemptEvent, type AttemptState, attemptMachine } from "../../shared/state/attempt.ts";
import { isFinal, next, statesOf } from "../../shared/state/machine.ts";
import type { Ending } from "../schedule/blame.ts";
import { json, parsed } from "./json.ts";
import type { NodeProfile } from "./nodes.ts";
import type { Db } from "./open.ts";
import { createUpdate } from "./update.ts";

export type AttemptRow = {
  readonly counter: number;
  readonly epoch: number;
  readonly task_id: number;
  readonly node_id: number;
  readonly state: AttemptState;
  readonly assigned: number;
  readonly ended: number | null;
};

export type AttemptLog = AttemptRow &
  Pick<AttemptWithStats, "failure" | "stats" | "node"> & { readonly log: string | null };

/** With what it cost, why it failed, and the node that had it. */
export type AttemptWithStats = AttemptRow & {
  readonly failure: Failure | undefined;
  readonly stats: AttemptStats | undefined;
  readonly node: string | null;
  readonly machine: NodeProfile["machine"] | undefined;
};

export type AttemptEnd = {
  readonly failure?: Failure;
  readonly stats?: AttemptStats;
  readonly log?: string;
};

type RawWithStats = AttemptRow & Readonly<Record<"failure" | "stats" | "machine" | "node", string | null>>;

const readWithStats = (raw: RawWithStats): AttemptWithStats => ({
  ...raw,
  failure: parsed(raw.failure),
  stats: parsed(raw.stats),
  machine: parsed(raw.machine),
});

type RawEnding = Omit<Ending, "cause"> & { readonly cause: Cause | null };
type RawLog = AttemptRow & Readonly<Record<"failure" | "stats" | "node" | "log", string | null>>;

const readLog = (raw: RawLog): AttemptLog => ({ ...raw, failure: parsed(raw.failure), stats: parsed(raw.stats) });

const columns = "counter, epoch, task_id, node_id, state, assigned, ended";

export const fenceOf = ({ epoch, counter }: AttemptRow): Fence => ({ epoch, counter });

export const createAttemptStore = ({ writer, point, memo }: Db) => {
  const insert = writer.prepare(
    "INSERT INTO attempts (epoch, task_id, node_id, state, assigned) VALUES (?, ?, ?, 'assigned', ?)",
  );
  const begun = point.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'attempts'");
  const byFence = writer.prepare<[number, number], AttemptRow>(
    `SELECT ${columns} FROM attempts WHERE counter = ? AND epoch = ?`,
  );
  const open = writer.prepare<[], AttemptRow>(
    `SELECT ${columns} FROM attempts WHERE state IN ('assigned', 'running', 'committing')`,
  );
  const openOfTask = writer.prepare<[number], AttemptRow>(
    `SELECT ${columns} FROM attempts WHERE task_id = ? AND state IN ('assigned', 'running', 'committing')`,
  );
  const logs = point.prepare<[number], RawLog>(
    `SELECT counter, epoch, task_id, node_id, attempts.state, assigned, ended, failure, stats, log,
       hello ->> '$.name' AS node FROM attempts LEFT JOIN nodes ON nodes.id = node_id
     WHERE task_id = ? ORDER BY counter`,
  );
  const ofJob = point.prepare<[number], RawWithStats>(
    `SELECT counter, epoch, task_id, node_id, attempts.state, assigned, ended, attempts.failure, stats,
       hello ->> '$.name' AS node, hello -> '$.machine' AS machine
     FROM tasks JOIN attempts ON task_id = tasks.id LEFT JOIN nodes ON nodes.id = node_id
     WHERE job_id = ? ORDER BY counter`,
  );
  const move = createUpdate<"state" | "ended" | "failure" | "stats" | "log">(
    writer,
    "attempts",
    "counter = ? AND state = ?",
  );
  const failuresOfOpenJobs = writer.prepare<[], Ending>(
    `SELECT node_id AS nodeId, job_id AS jobId, task_id AS taskId, attempts.failure ->> '$.cause' AS cause, ended AS at
     FROM jobs JOIN tasks ON job_id = jobs.id JOIN attempts ON task_id = tasks.id
     WHERE status IN ('queued', 'active') AND attempts.state = 'failed' ORDER BY counter`,
  );
  const lastEndings = writer.prepare<[number], RawEnding>(
    `SELECT node_id AS nodeId, job_id AS jobId, task_id AS taskId, attempts.failure ->> '$.cause' AS cause, ended AS at
     FROM attempts JOIN tasks ON tasks.id = task_id
     WHERE counter > (SELECT max(counter) FROM attempts) - ? AND attempts.state IN ('published', 'failed')
     ORDER BY ended, counter`,
  );
  const finals = new Set(statesOf(attemptMachine).filter((state) => isFinal(attemptMachine, state)));

  const remember = (attempt: AttemptRow): AttemptRow => {
    if (attempt.ended === null) memo.attempts.set(attempt.counter, attempt);
    else memo.attempts.delete(attempt.counter);
    return attempt;
  };
  const read = ({ counter, epoch }: Fence): AttemptRow | undefined => {
    const found = byFence.get(counter, epoch);
    return found && remember(found);
  };

  return {
    insert: (epoch: number, task_id: number, node_id: number, assigned: number): AttemptRow => {
      const counter = Number(insert.run(epoch, task_id, node_id, assigned).lastInsertRowid);
      return remember({ counter, epoch, task_id, node_id, state: "assigned", assigned, ended: null });
    },
    /** Outside of a commit: how many were ever begun. */
    begun: (): number => begun.get()?.seq ?? 0,
    /** Inside a commit. */
    get: (fence: Fence): AttemptRow | undefined => {
      const known = memo.attempts.get(fence.counter);
      return known?.epoch === fence.epoch ? known : read(fence);
    },
    open: (): AttemptRow[] => open.all(),
    failuresOfOpenJobs: (): Ending[] => failuresOfOpenJobs.all(),
    /** Those of the last so many attempts that were reported, in the order in which they were. */
    lastEndings: (most: number): Ending[] =>
      lastEndings.all(most).map(({ cause, ...ending }) => ({ ...ending, cause: cause ?? undefined })),
    openOfTask: (taskId: number): AttemptRow | undefined => openOfTask.get(taskId),
    /** Outside of a commit: the attempts of a task, oldest first, with their logs, what they cost and why they failed. */
    readLogs: (taskId: number): AttemptLog[] => logs.all(taskId).map(readLog),
    /** Outside of a commit: all attempts of a job, oldest first. */
    readOfJob: (jobId: number): AttemptWithStats[] => ofJob.all(jobId).map(readWithStats),
    /** False where the event means nothing in the attempt's present state: someone else was first. */
    move: (attempt: AttemptRow, event: AttemptEvent, now: number, end: AttemptEnd = {}): boolean => {
      const to = next(attemptMachine, attempt.state, event);
      if (to === undefined) return false;
      const ended = finals.has(to) ? now : undefined;
      const written = { state: to, ended, failure: json(end.failure), stats: json(end.stats), log: end.log };
      if (move(written, attempt.counter, attempt.state) === 0) return false;
      remember({ ...attempt, state: to, ended: ended ?? attempt.ended });
      return true;
    },
  };
};
