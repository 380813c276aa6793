import type { JobInfo } from "../../shared/job-info.ts";
import { taskStatus } from "../../shared/state/task.ts";
import { type Weakness, weaknessText } from "../../shared/storage.ts";
import type { TaskInfo } from "../../shared/task.ts";
import type { ProgressBoard } from "../memory/progress.ts";
import type { JobRow, TaskRow } from "../store/rows.ts";

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`; clients parse exactly this. */
export const isoTime = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

export const jobInfoOf = (row: JobRow, progress: ProgressBoard): JobInfo => ({
  id: String(row.id),
  name: row.name,
  user_tag: row.user_tag,
  priority: row.priority,
  status: row.status,
  substatus: row.substatus,
  progress: row.end_time === null ? (progress.job(row.id) ?? row.progress) : row.progress,
  creation_time: isoTime(row.creation_time),
  start_time: isoOrNull(row.start_time),
  end_time: isoOrNull(row.end_time),
  expiration_time: isoOrNull(row.end_time === null ? null : row.end_time + row.expiration * 60_000),
  error: row.error,
  owner: row.owner,
  origin: row.origin,
  parent_id: row.parent_id === null ? null : String(row.parent_id),
});

export const taskInfoOf = (
  row: Omit<TaskRow, "intent" | "published" | "tags" | "requires" | "weight"> & { readonly published?: Promised },
  progress: ProgressBoard,
): TaskInfo => ({
  id: String(row.id),
  name: row.name,
  kind: row.kind,
  status: taskStatus[row.state],
  progress: row.state === "completed" ? 100 : Math.floor(progress.task(row.id)?.percent ?? 0),
  creation_time: isoTime(row.creation_time),
  start_time: isoOrNull(row.start_time),
  end_time: isoOrNull(row.end_time),
  machine_uid: row.node_id === null ? null : String(row.node_id),
  error: row.state === "completed" ? null : (row.failure?.message ?? null),
  ...(row.published?.weaker && { warnings: weakerOf(row) }),
});

type Promised = { readonly weaker?: readonly Weakness[] | undefined } | undefined;

/** The weaker guarantees of the storage of a task's targets, as sentences. */
export const weakerOf = ({ published }: { readonly published?: Promised }): string[] =>
  (published?.weaker ?? []).map(weaknessText);
