import { mostFailed, type Overview, waitBounds } from "../../shared/api/overview.ts";
import { redactText } from "../../shared/credentials/redact.ts";
import { ahead } from "../../shared/model/forecast.ts";
import { isoTime } from "../iso-time.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { JobQuery } from "../store/job-reads.ts";
import { mostAttempts, type RecentAttempt } from "../store/recent-attempts.ts";
import type { JobRow } from "../store/rows.ts";
import { readAcknowledgements } from "./acknowledgements.ts";
import { failureGroupsOf, throughputOf } from "./attempt-reports.ts";
import { toAuditEntry } from "./audit.ts";
import type { Estimates } from "./estimates.ts";
import { filtersOf } from "./job-groups.ts";
import { buildJobInfo } from "./job-info.ts";
import { buildJobRows } from "./job-rows.ts";

const [minuteMs, dayMs] = [60_000, 86_400_000];
const someJobs = 12;
const mostStuck = 50;
/** Jobs that pages group by what is alike: held ones, and failed ones, of which less is told. */
const [manyHeld, manyFailed] = [50, mostFailed];

/** The data of the overview page. */
export const createOverview = (farm: Jobs, estimates: () => Promise<Estimates>): (() => Promise<Overview>) => {
  return async () => {
    const now = farm.clock.now();
    const [attempts, lists, estimated, actions, acknowledged] = await Promise.all([
      farm.store.recentAttempts.since(now - dayMs),
      jobLists(farm, now),
      estimates(),
      farm.store.audit.last(["pause_node", "drain", "activate"], "nodes"),
      readAcknowledgements(farm.store, now),
    ]);
    const facts = attempts.map((each) => factOf(farm, each));
    const active = await buildJobRows(farm, lists.active, estimated);
    return {
      now: isoTime(now),
      ...(await waitsOf(farm)),
      throughput: { ...throughputOf(facts, now), since: isoTime(knownSince(attempts, now)) },
      failures: failureGroupsOf(facts, now),
      stuck: stuckTasks(farm, now),
      failed: lists.failed.map((row) => failedOf(farm, row)),
      failed_count: lists.failedCount,
      held: await buildJobRows(farm, lists.held, estimated),
      waiting: await buildJobRows(farm, lists.waiting, estimated),
      active: active.sort((a, b) => (a.finish?.likely ?? "~").localeCompare(b.finish?.likely ?? "~")),
      active_count: await goingOn(farm),
      node_actions: actions.map(toAuditEntry),
      ...{ acknowledged, unknown: estimated.unknown },
      empty: estimated.empty && ahead(estimated.empty, now),
    };
  };
};

/** Active jobs that nobody has paused. */
const goingOn = async (farm: Pick<Jobs, "store">): Promise<number> =>
  (await farm.store.jobs.states({ filters: [] }))
    .filter(({ status, substatus }) => status === "active" && substatus !== "paused" && substatus !== "scheduled")
    .reduce((sum, { n }) => sum + n, 0);

const jobLists = async (farm: Pick<Jobs, "store">, now: number) => {
  const list = (statuses: readonly string[], substatuses: readonly (string | null)[], query: Partial<JobQuery> = {}) =>
    farm.store.jobs.list({
      filters: filtersOf({ status: statuses, substatus: substatuses }),
      ...{ sort: "id", order: "desc", size: 0, skip: 0, take: someJobs }, // few of all jobs need a person
      ...query,
    });
  const [failed, held, waiting, active] = await Promise.all([
    list(["failed"], [null], { sort: "end_time", take: manyFailed }),
    list([], ["paused", "scheduled"], { take: manyHeld }),
    list(["active"], ["waiting", "retrying"], { order: "asc" }),
    list(["active"], ["running", "retrying", "waiting"], { order: "asc" }),
  ]);
  const recent = failed.filter(({ end_time }) => now - (end_time ?? 0) < dayMs);
  return { failed: recent, failedCount: recent.length, held, waiting, active };
};

const failedOf = ({ progress }: Pick<Jobs, "progress">, row: JobRow): Overview["failed"][number] => {
  const { id, name, error, creation_time, end_time } = buildJobInfo(row, progress);
  return { id, name, error, creation_time, end_time };
};

const factOf = (farm: Pick<Jobs, "registry">, { node_id, message, ...attempt }: RecentAttempt) => ({
  ...attempt,
  message: message === null ? null : redactText(message),
  node: farm.registry.row(node_id)?.profile.name ?? "a deleted node",
});

/** If the limit of attempts was reached, earlier ones are unknown. */
const knownSince = (attempts: readonly RecentAttempt[], now: number): number =>
  attempts.length < mostAttempts ? now - dayMs : (attempts[0]?.assigned ?? now);

/** How long ready tasks have waited, and which has waited longest. */
const waitsOf = async (farm: Jobs): Promise<Pick<Overview, "waits" | "oldest_ready">> => {
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
  const job = (await farm.store.load.row("jobs", oldest.jobId))?.name ?? "";
  const since = isoTime(farm.clock.wallOf(oldest.readyTime));
  return { waits, oldest_ready: { task_id: String(oldest.id), job_id: String(oldest.jobId), job, since } };
};

/** Running tasks without progress for longer than `stuckMs`. Tasks that an owner suspended do not count. */
const stuckTasks = (farm: Jobs, now: number): Overview["stuck"] =>
  farm.registry
    .running()
    .filter(({ node }) => !farm.registry.standing(node.id)?.isSuspended)
    .flatMap(({ node: { profile }, held: { taskId, jobId, name, begun } }) => {
      const since = Math.max(begun, farm.clock.wallOf(farm.progress.since(taskId)));
      if (now - since < farm.config.stuckMs) return [];
      const progress = farm.progress.task(taskId)?.percent ?? 0;
      return [
        { task_id: String(taskId), job_id: String(jobId), name, node: profile.name, since: isoTime(since), progress },
      ];
    })
    .slice(0, mostStuck);
