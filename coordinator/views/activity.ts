import type { ActivityEntry } from "../../shared/api/job-view.ts";
import { getOrInsert } from "../../shared/basics/get-or-insert.ts";
import { togetherAsFast } from "../../shared/model/forecast.ts";
import { isoOrNull, isoTime } from "../iso-time.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import type { AuditRow } from "../store/audit.ts";
import type { JobRow } from "../store/rows.ts";
import { toAuditEntry } from "./audit.ts";
import { awaitsReason, explain } from "./explain.ts";

/** The maximum number of reasons computed for one page: each examines all nodes. */
const mostReasons = 12;
const mostNames = 3;

type Waiting = NonNullable<ActivityEntry["waiting"]>;
type Retry = NonNullable<ActivityEntry["retry"]>;
type Running = { readonly nodes: string[]; tasks: number; readonly speeds: number[] };

/** What each of these jobs is doing or waiting for. */
export const describeActivity = async (farm: Jobs, rows: readonly JobRow[]): Promise<Map<number, ActivityEntry>> => {
  const open = rows.filter(({ end_time }) => end_time === null).map(({ id }) => id);
  const told = rows.filter(({ stopped, substatus }) => stopped !== null || substatus === "paused").map(({ id }) => id);
  const actions = told.length > 0 ? await farm.store.audit.last(["stop", "pause"], told) : [];
  const actionOfJob = new Map(actions.map((entry) => [entry.jobId, entry]));
  const running = describeRunning(farm, new Set(open));
  const idle = open.filter((id) => !running.has(id) && !farm.pausedJobs.has(id));
  const waiting = await describeWaiting(farm, new Set(idle));
  const retries = await retriesOf(farm, new Set(open));
  return new Map(
    rows.map(({ id }) => [
      id,
      {
        running: runningWords(running.get(id)),
        waiting: waiting.get(id) ?? null,
        retry: retries.get(id) ?? null,
        held: describePause(farm, id),
        last_action: told.includes(id) ? lastAction(actionOfJob.get(id)) : null,
      },
    ]),
  );
};

const lastAction = (row: AuditRow | undefined): ActivityEntry["last_action"] => (row ? toAuditEntry(row) : null);

const describeRunning = (farm: Jobs, wanted: ReadonlySet<number>): Map<number, Running> => {
  const found = new Map<number, Running>();
  for (const { node, held } of farm.registry.running()) {
    if (!wanted.has(held.jobId)) continue;
    const known = getOrInsert(found, held.jobId, () => ({ nodes: [], tasks: 0, speeds: [] }));
    const { name } = node.profile;
    known.tasks += 1;
    if (!known.nodes.includes(name)) known.nodes.push(name);
    const speed = farm.progress.task(held.taskId)?.speed;
    if (speed !== undefined) known.speeds.push(speed);
  }
  return found;
};

const runningWords = (running: Running | undefined): ActivityEntry["running"] =>
  running
    ? {
        tasks: running.tasks,
        nodes: running.nodes.slice(0, mostNames),
        node_count: running.nodes.length,
        speed: togetherAsFast(running.speeds),
      }
    : null;

/** One ready task per job is explained; tasks with the same needs share the reason. */
const describeWaiting = async (farm: Jobs, wanted: ReadonlySet<number>): Promise<Map<number, Waiting>> => {
  const firsts = new Map<number, { readonly id: number; readonly key: string }>();
  if (wanted.size > 0) {
    for (const { task } of farm.ready.tasks()) {
      if (!wanted.has(task.jobId) || firsts.has(task.jobId)) continue;
      firsts.set(task.jobId, { id: task.id, key: farm.ready.find(task.id)?.set.key ?? "" });
      if (firsts.size === wanted.size) break;
    }
  }
  const asked = new Map([...firsts.values()].map(({ id, key }) => [key, id]));
  const reasons = await Promise.all(
    [...asked].slice(0, mostReasons).map(async ([key, id]) => [key, await reasonOf(farm, id)] as const),
  );
  const known = new Map(reasons);
  return new Map([
    ...awaitedBy(farm, wanted),
    ...[...firsts].map(
      ([jobId, { id, key }]) => [jobId, { task_id: String(id), ...(known.get(key) ?? noSlot) }] as const,
    ),
  ]);
};

/** What each job waits for outside the farm. */
const awaitedBy = (farm: Pick<Jobs, "clock" | "polls">, wanted: ReadonlySet<number>): [number, Waiting][] =>
  [...farm.polls.all()].flatMap(({ task }) => {
    if (!wanted.has(task.jobId)) return [];
    const reason = awaitsReason(farm, task);
    return [[task.jobId, { task_id: String(task.id), message: reason.message, parts: [{ ...reason, nodes: 0 }] }]];
  });

type Why = Pick<Waiting, "message" | "parts">;

const noSlot: Why = { message: "Waits for a free slot", parts: [] };

const reasonOf = async (farm: Jobs, taskId: number): Promise<Why> => {
  const row = await farm.store.jobs.task(taskId);
  if (!row) return noSlot;
  const { summary, summary_parts: parts } = explain(farm, row, "all");
  return { message: summary.replace(/\.$/, ""), parts };
};

/** The first due retry of each job. */
const retriesOf = async (farm: Jobs, wanted: ReadonlySet<number>): Promise<Map<number, Retry>> => {
  const firsts = new Map<number, OpenTask>();
  for (const task of farm.delayed.values()) {
    const known = firsts.get(task.jobId);
    if (wanted.has(task.jobId) && (!known || task.readyTime < known.readyTime)) firsts.set(task.jobId, task);
  }
  const rows = await Promise.all([...firsts.values()].map(({ id }) => farm.store.jobs.task(id)));
  return new Map(
    rows.flatMap((row) => {
      if (!row) return [];
      const { job_id, ready_time, retry_nr: nr, retry_count, failure } = row;
      const of = retry_count < 0 ? null : retry_count;
      const at = isoTime(farm.clock.wallOf(ready_time));
      return [[job_id, { at, nr, of, message: failure?.message ?? "" }] as const];
    }),
  );
};

const describePause = (farm: Pick<Jobs, "pausedJobs">, jobId: number): ActivityEntry["held"] => {
  const held = farm.pausedJobs.get(jobId);
  return held ? { since: isoOrNull(held.paused), until: isoOrNull(held.startAfter) } : null;
};
