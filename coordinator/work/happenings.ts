import type { Happening } from "../../shared/job-view.ts";
import type { DeedRow } from "../db/deeds.ts";
import type { JobRow } from "../db/jobs.ts";
import { deedOf } from "./deeds.ts";
import { explain } from "./explain.ts";
import type { Farm } from "./farm.ts";
import { isoOrNull, isoTime } from "./info.ts";

/** Reasons that are worked out for one page: each goes through all nodes. */
const mostReasons = 12;
const mostNames = 3;

type Running = { readonly nodes: string[]; tasks: number; readonly speeds: number[] };

/** What each of these jobs does now, or what keeps it from doing anything. */
export const happeningsOf = async (farm: Farm, rows: readonly JobRow[]): Promise<Map<number, Happening>> => {
  const open = rows.filter(({ end_time }) => end_time === null).map(({ id }) => id);
  const told = rows.filter(({ stopped, substatus }) => stopped !== null || substatus === "paused").map(({ id }) => id);
  const deeds = told.length > 0 ? await farm.stores.deeds.lastOfJobs(told, ["stop", "pause"]) : [];
  const deedOfJob = new Map(deeds.map((deed) => [deed.jobId, deed]));
  const running = runningOf(farm, new Set(open));
  const waiting = waitingOf(farm, new Set(open.filter((id) => !running.has(id) && !farm.held.has(id))));
  const retries = retriesOf(farm, new Set(open));
  return new Map(
    rows.map(({ id }) => [
      id,
      {
        running: runningWords(running.get(id)),
        waiting: waiting.get(id) ?? null,
        retry: retries.get(id) ?? null,
        held: heldOf(farm, id),
        deed: told.includes(id) ? lastDeed(deedOfJob.get(id)) : null,
      },
    ]),
  );
};

const lastDeed = (row: DeedRow | undefined): Happening["deed"] => (row ? deedOf(row) : null);

const runningOf = (farm: Farm, wanted: ReadonlySet<number>): Map<number, Running> => {
  const found = new Map<number, Running>();
  for (const { id, profile } of farm.registry.rows()) {
    for (const { taskId, jobId } of farm.registry.heldBy(id)) {
      if (!wanted.has(jobId)) continue;
      const known = found.get(jobId) ?? { nodes: [], tasks: 0, speeds: [] };
      found.set(jobId, known);
      known.tasks += 1;
      if (!known.nodes.includes(profile.name)) known.nodes.push(profile.name);
      const speed = farm.progress.task(taskId)?.speed;
      if (speed !== undefined) known.speeds.push(speed);
    }
  }
  return found;
};

const runningWords = (running: Running | undefined): Happening["running"] =>
  running
    ? {
        tasks: running.tasks,
        nodes: running.nodes.slice(0, mostNames),
        node_count: running.nodes.length,
        speed: running.speeds.length > 0 ? running.speeds.reduce((sum, each) => sum + each, 0) : null,
      }
    : null;

/** One ready task of each job is asked about; those that need the same have the same reason. */
const waitingOf = (farm: Farm, wanted: ReadonlySet<number>): Map<number, NonNullable<Happening["waiting"]>> => {
  const found = new Map<number, NonNullable<Happening["waiting"]>>();
  if (wanted.size === 0) return found;
  const known = new Map<string, string>();
  for (const { task } of farm.ready.tasks()) {
    if (!wanted.has(task.jobId) || found.has(task.jobId)) continue;
    const key = farm.ready.find(task.id)?.set.key ?? "";
    const message = known.get(key) ?? (known.size < mostReasons ? reasonOf(farm, task.id) : "Waits for a free slot");
    known.set(key, message);
    found.set(task.jobId, { task_id: String(task.id), message });
    if (found.size === wanted.size) break;
  }
  return found;
};

const reasonOf = (farm: Farm, taskId: number): string => {
  const row = farm.stores.tasks.read(taskId);
  return row ? explain(farm, row).summary.replace(/\.$/, "") : "Waits for a free slot";
};

const retriesOf = (farm: Farm, wanted: ReadonlySet<number>): Map<number, NonNullable<Happening["retry"]>> => {
  const found = new Map<number, { readyTime: number; id: number }>();
  for (const { id, jobId } of farm.delayed.values()) {
    if (!wanted.has(jobId)) continue;
    const row = farm.stores.tasks.read(id);
    const known = found.get(jobId);
    if (row && (!known || row.ready_time < known.readyTime)) found.set(jobId, { readyTime: row.ready_time, id });
  }
  return new Map(
    [...found].flatMap(([jobId, { id }]) => {
      const row = farm.stores.tasks.read(id);
      if (!row) return [];
      const { ready_time, retry_nr: nr, retry_count, failure } = row;
      const of = retry_count < 0 ? null : retry_count;
      return [
        [jobId, { at: isoTime(farm.clock.wallOf(ready_time)), nr, of, message: failure?.message ?? "" }] as const,
      ];
    }),
  );
};

const heldOf = (farm: Farm, jobId: number): Happening["held"] => {
  const held = farm.held.get(jobId);
  return held ? { since: isoOrNull(held.paused), until: isoOrNull(held.startAfter) } : null;
};
