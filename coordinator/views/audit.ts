import type { JobAction } from "../../shared/api/job-actions.ts";
import type { AuditAction, AuditEntry, AuditLine } from "../../shared/people/audit.ts";
import type { NodeState } from "../../shared/state/node.ts";
import { isoTime } from "../iso-time.ts";
import { idsIn } from "../jobs/job-ids.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { AuditRow, NamedAuditRow, NewAuditEntry } from "../store/audit.ts";
import type { JobRow } from "../store/rows.ts";

type Parts = Pick<Kernel, "clock" | "log" | "store" | "timeSlice" | "values">;

/** Entries that are written in one piece of the loop's time. */
const atOnce = 200;

/** The arguments of the routes whose calls are recorded. */
type Call = {
  readonly job_id?: string;
  readonly node_id?: string;
  readonly action?: JobAction;
  readonly state?: NodeState;
  readonly priority?: number;
  readonly note?: string;
};

type Did = { readonly action: AuditAction; readonly jobs?: readonly string[]; readonly node?: string };
const jobOf = ({ job_id }: Call) => (job_id === undefined ? [] : [job_id]);
const nodeActions: Record<NodeState, AuditAction> = { active: "activate", drain: "drain", paused: "pause_node" };

/** The fields of these routes' answers that say what was done. */
type Said = { readonly id?: string; readonly items?: readonly { readonly id: string; readonly success: boolean }[] };

const actionsOf: Readonly<Record<string, (call: Call, answer: Said) => Did | undefined>> = {
  stopJob: (call) => ({ action: "stop", jobs: jobOf(call) }),
  pauseJob: (call) => ({ action: "pause", jobs: jobOf(call) }),
  resumeJob: (call) => ({ action: "resume", jobs: jobOf(call) }),
  retryJob: (call) => ({ action: "retry", jobs: jobOf(call) }),
  retryTask: (_call, { id }) => ({ action: "retry", jobs: id === undefined ? [] : [id] }),
  updateJob: (call) => ({ action: call.priority === undefined ? "change" : "priority", jobs: jobOf(call) }),
  // The history of a deleted job goes with it.
  changeJobs: ({ action }, { items = [] }) =>
    action && action !== "delete"
      ? { action: action === "schedule" ? "change" : action, jobs: succeeded(items) }
      : undefined,
  undoJobs: (_call, { items = [] }) => ({ action: "undo", jobs: succeeded(items) }),
  updateNode: ({ node_id, state }) => ({ action: state ? nodeActions[state] : "change_node", node: node_id }),
};

const succeeded = (items: NonNullable<Said["items"]>): readonly string[] =>
  items.flatMap(({ id, success }) => (success ? id : []));

/** A call that succeeded. */
export type ActionRecord = {
  readonly route: string;
  readonly args: object;
  readonly who: string;
  readonly answer: Said | undefined;
};

/** Records what a call did and who made it, if the route is in the table. Nobody waits for the write. */
export const recordAction = (farm: Parts, { route, args, who, answer }: ActionRecord): void => {
  const call = args as Call; // the parsed fields of the table's routes
  const did = actionsOf[route]?.(call, answer ?? {});
  if (!did) return;
  const base = { at: farm.clock.now(), who, action: did.action, note: call.note || null };
  const entries: NewAuditEntry[] = [
    ...idsIn(did.jobs ?? []).map((jobId) => ({ ...base, jobId, nodeId: null })),
    ...idsIn(did.node === undefined ? [] : [did.node]).map((nodeId) => ({ ...base, jobId: null, nodeId })),
  ];
  for (let from = 0; from < entries.length; from += atOnce) {
    farm
      .timeSlice(() => farm.store.audit.add(entries.slice(from, from + atOnce)))
      .catch((problem) => farm.log.error({ err: problem, route }, "an action was not recorded"));
  }
};

export const toAuditEntry = ({ at, who, action, jobId, nodeId, note }: AuditRow): AuditEntry => ({
  at: isoTime(at),
  who,
  action,
  job_id: jobId === null ? null : String(jobId),
  node_id: nodeId === null ? null : String(nodeId),
  note,
});

/** The latest submissions and actions, newest first. Jobs that watched folders began are nobody's doing. */
export const listAuditLines = async (farm: Parts, take: number): Promise<AuditLine[]> => {
  const newest = { filters: [], order: "desc", sort: "creation_time", skip: 0, take } as const;
  const [actions, jobs] = await Promise.all([farm.store.audit.list({}, take), farm.store.jobs.list(newest)]);
  const sent = jobs.filter(({ origin }) => origin !== "watchfolder").map(submissionOf);
  return [...actions.map((row) => auditLineOf(farm, row)), ...sent]
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, take);
};

/** A job's row holds who sent it, so a submission needs no record of its own. */
const submissionOf = ({ id, name, owner, creation_time }: JobRow): AuditLine => ({
  ...{ at: isoTime(creation_time), who: owner ?? "", action: "submit", job_id: String(id), node_id: null, note: null },
  subject: name,
});

/** The entry with the name of what it was done to. */
const auditLineOf = (farm: Parts, row: NamedAuditRow): AuditLine => ({
  ...toAuditEntry(row),
  subject: row.jobName ?? (row.nodeId === null ? null : (farm.values.nodes.get(row.nodeId)?.profile.name ?? null)),
});
