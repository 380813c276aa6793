import { failureGroupsOf, throughputOf } from "../../shared/attempt-reports.ts";
import { type Overview, waitBounds } from "../../shared/overview.ts";
import { redactText } from "../../shared/redact.ts";
import type { JobListQuery } from "../store/job-reads.ts";
import { mostAttempts, type RecentAttempt } from "../store/recent-attempts.ts";
import { auditEntryOf } from "./audit.ts";
import type { Estimates } from "./estimates.ts";
import type { Farm } from "./farm.ts";
import { isoTime } from "./info.ts";
import { jobRowsOf } from "./job-rows.ts";
import { stuckTasks } from "./stuck.ts";

const [minuteMs, dayMs] = [60_000, 86_400_000];
const someJobs = 12;
/** Jobs that pages group by what is alike. */
const manyJobs = 50;

/** The data of the overview page. */
export const createOverview = (farm: Farm, estimates: () => Promise<Estimates>): (() => Promise<Overview>) => {
  return async () => {
    const now = farm.clock.now();
    const [attempts, lists, { jobs, empty, unknown }, actions] = await Promise.all([
      farm.store.recentAttempts.since(now - dayMs),
      jobLists(farm, now),
      estimates(),
      farm.store.audit.lastOfNodes(["pause_node", "drain", "activate"]),
    ]);
    const facts = attempts.map((each) => factOf(farm, each));
    const active = await jobRowsOf(farm, lists.active, jobs);
    return {
      now: isoTime(now),
      ...(await waitsOf(farm)),
      throughput: { ...throughputOf(facts, now), since: isoTime(knownSince(attempts, now)) },
      failures: failureGroupsOf(facts, now),
      stuck: stuckTasks(farm, now),
      failed: await jobRowsOf(farm, lists.failed, jobs),
      failed_count: lists.failedCount,
      held: await jobRowsOf(farm, lists.held, jobs),
      waiting: await jobRowsOf(farm, lists.waiting, jobs),
      active: active.sort((a, b) => (a.finish?.likely ?? "~").localeCompare(b.finish?.likely ?? "~")),
      active_count: await goingOn(farm),
      node_actions: actions.map(auditEntryOf),
      empty,
      unknown,
    };
  };
};

/** Active jobs that nobody has paused. */
const goingOn = async (farm: Farm): Promise<number> =>
  (await farm.store.jobs.states())
    .filter(({ status, substatus }) => status === "active" && substatus !== "paused" && substatus !== "scheduled")
    .reduce((sum, { n }) => sum + n, 0);

const jobLists = async (farm: Farm, now: number) => {
  const list = (query: Pick<JobListQuery, "statuses" | "substatuses"> & Partial<JobListQuery>) =>
    farm.store.jobs.rows({
      ...{ owners: [], text: "", sort: "id", order: "desc", recent: now - dayMs },
      ...{ group: undefined, size: 0, skip: 0, take: someJobs },
      ...query,
    });
  const [failed, held, waiting, active] = await Promise.all([
    list({ statuses: ["failed"], substatuses: [null], sort: "end_time", take: manyJobs }),
    list({ statuses: [], substatuses: ["paused", "scheduled"], take: manyJobs }),
    list({ statuses: ["active"], substatuses: ["waiting", "retrying"], order: "asc" }),
    list({ statuses: ["active"], substatuses: ["running", "retrying", "waiting"], order: "asc" }),
  ]);
  const recent = failed.filter(({ end_time }) => now - (end_time ?? 0) < dayMs);
  return { failed: recent, failedCount: recent.length, held, waiting, active };
};

const factOf = (farm: Farm, { node_id, message, ...attempt }: RecentAttempt) => ({
  ...attempt,
  message: message === null ? null : redactText(message),
  node: farm.registry.row(node_id)?.profile.name ?? "a deleted node",
});

/** If the limit of attempts was reached, earlier ones are unknown. */
const knownSince = (attempts: readonly RecentAttempt[], now: number): number =>
  attempts.length < mostAttempts ? now - dayMs : (attempts[0]?.assigned ?? now);

/** How long ready tasks have waited, and which has waited longest. */
const waitsOf = async (farm: Farm): Promise<Pick<Overview, "waits" | "oldest_ready">> => {
  const waits = new Array<number>(waitBounds.length + 1).fill(0);
  const steady = farm.clock.steady();
  let oldest: { id: number; jobId: number; readyTime: number } | undefined;
  for (const { task } of farm.ready.tasks()) {
    const minutes = (steady - task.readyTime) / minuteMs;
    const at = waitBounds.findIndex((bound) => minutes < bound);
    const part = at < 0 ? waitBounds.length : at;
    waits[part] = (waits[part] ?? 0) + 1;
    if (!oldest || task.readyTime < oldest.readyTime) oldest = task;
  }
  if (!oldest) return { waits, oldest_ready: null };
  const job = (await farm.store.jobs.row(oldest.jobId))?.name ?? "";
  const since = isoTime(farm.clock.wallOf(oldest.readyTime));
  return { waits, oldest_ready: { task_id: String(oldest.id), job_id: String(oldest.jobId), job, since } };
};
