import { redact, redactText } from "../../shared/credentials/redact.ts";
import { mostOutputsTold, type WebhookData, type WebhookEvent } from "../../shared/outbound/webhooks.ts";
import { isoTime } from "../iso-time.ts";
import type { LiveProgress } from "../live/progress.ts";
import type { Change } from "../store/batch.ts";
import { type JobRow, type NodeRow, type TaskRow, tagsOfNode } from "../store/rows.ts";
import { buildJobInfo } from "../views/job-info.ts";

/** Something that a decision made happen, and what filters ask of it. */
export type Happened = {
  readonly type: WebhookEvent;
  /** Such as `job 12`. */
  readonly about: string;
  readonly tags: readonly string[];
  /** Who sent the job; undefined: it is about no job. */
  readonly user: string | null | undefined;
  /** Made only if somebody is told. */
  readonly data: () => WebhookData[keyof WebhookData];
};

type Around = {
  readonly job: (id: number) => JobRow | undefined;
  readonly progress: LiveProgress;
};

/** Pure: what is told of a decision's changes, each row named once. */
export const happenedIn = (changes: readonly Change[], around: Around): Happened[] =>
  changes.flatMap((change): Happened[] => {
    if (change.table === "jobs" && change.after) return ofJob(change.before, change.after, around);
    if (change.table === "nodes" && change.after) return ofNode(change.before, change.after);
    if (change.table === "tasks" && change.after) return ofTask(change.before, change.after, around);
    return [];
  });

const ofJob = (before: JobRow | undefined, after: JobRow, { progress }: Around): Happened[] =>
  jobEvents(before, after).map((type) => ({
    ...{ type, ...filteredBy(after) },
    data: () => ({ job: redact(buildJobInfo(after, progress)) }),
  }));

const jobEvents = (before: JobRow | undefined, after: JobRow): WebhookEvent[] => {
  const was = before?.status ?? "queued";
  const hasBegun = after.start_time !== null && (before?.start_time ?? null) === null;
  const isActive = after.status === "active" && was !== "active";
  const hasEnded = after.end_time !== null && was !== after.status;
  return [
    ...(before ? [] : (["job.submitted"] as const)),
    ...(hasBegun || isActive ? (["job.started"] as const) : []),
    ...(hasEnded ? [endOf(after)] : []),
  ];
};

const endOf = ({ status, substatus }: JobRow): WebhookEvent => {
  if (status === "completed") return "job.completed";
  return substatus === "stopped" ? "job.stopped" : "job.failed";
};

const filteredBy = ({ id, user_tag, owner }: JobRow) => ({
  about: `job ${id}`,
  tags: user_tag === null ? [] : [user_tag],
  user: owner,
});

const ofNode = (before: NodeRow | undefined, after: NodeRow): Happened[] => {
  const type = nodeEvent(before, after);
  if (type === undefined) return [];
  const { id, profile, group, lastSeen } = after;
  const tags = [...tagsOfNode(after)];
  const data = () => ({
    node: { id: String(id), name: profile.name, tags, group, last_seen: isoTime(lastSeen) },
  });
  return [{ type, about: `node ${id}`, tags, user: undefined, data }];
};

const nodeEvent = (before: NodeRow | undefined, after: NodeRow): WebhookEvent | undefined => {
  if (!before || after.revoked !== null) return undefined;
  if (before.lost === null && after.lost !== null) return "node.lost";
  if (before.left === null && after.left !== null) return "node.off";
  const wasAway = (before.lost !== null || before.left !== null) && after.left === null && after.lost === null;
  return wasAway ? "node.back" : undefined;
};

const ofTask = (before: TaskRow | undefined, after: TaskRow, { job }: Around): Happened[] => {
  const row = job(after.job_id);
  if (!row || after.purpose !== "work" || !after.published || before?.published === after.published) return [];
  const files = Object.values(after.published.outputs).flat();
  if (files.length === 0) return [];
  const data = (): WebhookData["outputs"] => ({
    job: redact({ id: String(row.id), name: row.name, user_tag: row.user_tag, owner: row.owner }),
    task_id: String(after.id),
    element_uid: after.element_uid,
    outputs: files.slice(0, mostOutputsTold).map(({ uri, size, checksum }) => ({
      ...{ uri: redactText(uri), size: size ?? null, checksum: checksum ?? null },
    })),
    count: files.length,
  });
  return [{ type: "outputs.published", ...filteredBy(row), data }];
};
