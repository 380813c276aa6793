import { statfs } from "node:fs/promises";
import { redactText } from "../../shared/credentials/redact.ts";
import { type AlertReason, type AlertSettings, alertKinds } from "../../shared/outbound/alerts.ts";
import type { Backups } from "../backup/backups.ts";
import { isoTime } from "../iso-time.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { JobRow } from "../store/rows.ts";
import type { Tls } from "../tls/tls.ts";
import { filtersOf } from "../views/job-groups.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { Sighting } from "./decide.ts";
import { mostNamed } from "./gather.ts";
import { type AlertValues, alertWords, filled } from "./language/words.ts";

export type SightingNeeds = {
  readonly farm: Pick<Jobs, "store" | "storeTrouble" | "clock" | "registry" | "ready" | "progress" | "config">;
  readonly backups: Pick<Backups, "view">;
  readonly tls: Pick<Tls, "current"> | undefined;
  readonly webhooks: Pick<Webhooks, "silent">;
};

type Rules = AlertSettings["rules"];
const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const mostLate = 500;
const longestDetail = 300;

/** All that is wrong now, and the jobs that failed after `failedUntil`; with the time until which that is known. */
export const sightAll = async (
  needs: SightingNeeds,
  rules: Rules,
  failedUntil: number,
): Promise<{ readonly sightings: readonly Sighting[]; readonly failedUntil: number }> => {
  const { farm } = needs;
  const now = farm.clock.now();
  const [failed, late, ownDisk, backup] = await Promise.all([
    rules.job_failed.is_on ? failedJobs(farm, failedUntil) : { sightings: [], failedUntil: now },
    rules.job_late.is_on ? lateJobs(farm, now - limitOf(rules, "job_late") * hourMs) : [],
    rules.disk_low.is_on ? farmDisk(farm, limitOf(rules, "disk_low")) : [],
    rules.backup_failed.is_on ? missingBackup(needs, now) : [],
  ]);
  const sightings = [
    ...failed.sightings,
    ...late,
    ...lostNodes(farm, limitOf(rules, "node_lost") * minuteMs),
    ...ownDisk,
    ...fullDisks(farm, limitOf(rules, "disk_low")),
    ...standstill(farm, limitOf(rules, "stands_still") * minuteMs),
    ...failingStore(farm),
    ...backup,
    ...silentWebhooks(needs),
    ...endingCertificate(needs, now, limitOf(rules, "certificate_ends") * dayMs),
  ];
  return { sightings, failedUntil: failed.failedUntil };
};

const limitOf = (rules: Rules, kind: "job_late" | "node_lost" | "disk_low" | "stands_still" | "certificate_ends") =>
  rules[kind].limit ?? alertKinds[kind].limit.usual;

const failedJobs = async (farm: SightingNeeds["farm"], until: number) => {
  const selection = { filters: [], group: "failed", recent: until } as const;
  const query = { sort: "end_time", order: "desc", size: 0, skip: 0, take: mostNamed } as const;
  const [found, count] = await Promise.all([
    farm.store.jobs.list({ ...selection, ...query }),
    farm.store.jobs.count(selection),
  ]);
  const failed = found.filter(({ end_time }) => (end_time ?? 0) > until);
  const named = failed.map(
    (job): Sighting => ({
      ...{ kind: "job_failed", subject: String(job.id), name: nameOf(job) },
      detail: job.error === null ? "" : shortened(redactText(job.error)),
    }),
  );
  const more = failed.length < mostNamed ? 0 : count - failed.length;
  const others: Sighting[] = more > 0 ? [{ kind: "job_failed", subject: "", name: "", detail: "", count: more }] : [];
  return { sightings: [...named, ...others], failedUntil: Math.max(until, failed[0]?.end_time ?? until) };
};

const lateJobs = async (farm: SightingNeeds["farm"], before: number): Promise<Sighting[]> => {
  const open = await farm.store.jobs.list({
    filters: filtersOf({ status: ["queued", "active"] }),
    ...{ sort: "creation_time", order: "asc", size: 0, skip: 0, take: mostLate },
  });
  return open
    .filter(
      ({ creation_time, substatus }) => creation_time < before && substatus !== "paused" && substatus !== "scheduled",
    )
    .map((job) => ({
      ...{ kind: "job_late", subject: String(job.id), name: nameOf(job) },
      ...because("sent", { at: isoTime(job.creation_time), percent: job.progress }),
    }));
};

const nameOf = ({ id, name }: Pick<JobRow, "id" | "name">): string =>
  shortened(redactText(name === "" ? `Job ${id}` : name));

const lostNodes = ({ registry, clock }: SightingNeeds["farm"], ms: number): Sighting[] => {
  const now = clock.monotonic();
  return registry
    .rows()
    .filter(
      ({ id, revoked }) =>
        revoked === null && registry.presence(id, now) === "lost" && registry.isSilentFor(id, now, ms),
    )
    .map(({ id, profile, lastSeen }) => ({
      ...{ kind: "node_lost", subject: String(id), name: profile.name },
      ...because("last_heard", { at: isoTime(lastSeen) }),
    }));
};

const fullDisks = ({ registry }: SightingNeeds["farm"], percent: number): Sighting[] =>
  registry.rows().flatMap(({ id, profile, revoked }): Sighting[] => {
    const standing = registry.standing(id);
    const disk = standing?.load?.disk;
    const isLow = standing?.state === "diskLow" || (disk !== undefined && isBelow(disk, percent));
    if (revoked !== null || !isLow) return [];
    const room = disk ? roomOn(disk) : { detail: "" };
    return [{ kind: "disk_low", subject: String(id), name: profile.name, ...room }];
  });

/** The disk of the coordinator itself. */
const farmDisk = async ({ config }: SightingNeeds["farm"], percent: number): Promise<Sighting[]> => {
  const { bavail, blocks, bsize } = await statfs(config.dataDir);
  const disk = { free: bavail * bsize, total: blocks * bsize };
  return isBelow(disk, percent)
    ? [{ kind: "disk_low", subject: "farm", name: "The coordinator", ...roomOn(disk) }]
    : [];
};

type Disk = { readonly free: number; readonly total: number };
const isBelow = ({ free, total }: Disk, percent: number): boolean => total > 0 && (100 * free) / total < percent;
const roomOn = ({ free, total }: Disk) => because("disk_free", { free: inGib(free), total: inGib(total) });
const inGib = (bytes: number): string => (bytes / 1024 ** 3).toFixed(1);

/** Tasks that could run have waited for so long, and nothing that runs has moved on for as long. */
const standstill = ({ ready, registry, progress, clock }: SightingNeeds["farm"], ms: number): Sighting[] => {
  const before = clock.steady() - ms;
  let waiting = 0;
  for (const { task } of ready.tasks()) if (task.readyTime < before) waiting += 1;
  if (waiting === 0) return [];
  const moves = registry
    .running()
    .some(({ held }) => held.begun > clock.wallOf(before) || progress.since(held.taskId) > before);
  return moves
    ? []
    : [{ kind: "stands_still", subject: "farm", name: "The farm", ...because("tasks_wait", { count: waiting }) }];
};

const failingStore = ({ storeTrouble }: SightingNeeds["farm"]): Sighting[] => {
  const trouble = storeTrouble();
  return trouble === undefined
    ? []
    : [{ kind: "store_fails", subject: "farm", name: "The farm", detail: shortened(redactText(trouble)) }];
};

const missingBackup = async ({ backups }: SightingNeeds, now: number): Promise<Sighting[]> => {
  const { folder, failure, items, schedule } = await backups.view().catch((problem) => ({
    ...{ folder: "", items: [], schedule: undefined },
    failure: { message: String(problem) },
  }));
  if (folder === null) return [];
  const [newest] = items;
  const isOld = newest && schedule && now - Date.parse(newest.made) > 2 * schedule.everyHours * hourMs;
  const broken = items.find(({ problem }) => problem !== null)?.problem ?? undefined;
  const told = failure?.message ?? broken;
  if (told === undefined && !isOld) return [];
  const why = told === undefined ? because("newest_backup", { at: newest?.made ?? "" }) : { detail: shortened(told) };
  return [{ kind: "backup_failed", subject: "farm", name: "The farm", ...why }];
};

const silentWebhooks = ({ webhooks }: SightingNeeds): Sighting[] =>
  webhooks.silent().map(({ name, off, origin }) => ({
    ...{ kind: "webhook_off", subject: name, name: `The webhook "${name}"` },
    ...because(off === "gone" ? "receiver_gone" : "receiver_silent", { origin }),
  }));

const endingCertificate = ({ tls }: SightingNeeds, now: number, ms: number): Sighting[] => {
  const material = tls?.current();
  if (!material || material.endsAt - now > ms) return [];
  return [
    {
      ...{ kind: "certificate_ends", subject: "farm", name: "The farm" },
      ...because("ends", { at: isoTime(material.endsAt) }),
    },
  ];
};

/** The farm's own reason: as data, and in English for who reads no codes. */
const because = (code: AlertReason, values: AlertValues) => ({
  detail: filled(alertWords("en").reasons[code], values),
  reason: { code, values },
});

const shortened = (text: string): string =>
  text.length > longestDetail ? `${text.slice(0, longestDetail - 1)}…` : text;
