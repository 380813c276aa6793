import { type Weakness, weaknessText } from "../../shared/files/storage.ts";
import type { JobInfo } from "../../shared/model/job-info.ts";
import type { TaskInfo } from "../../shared/model/task.ts";
import { taskStatus } from "../../shared/state/task.ts";
import { isoOrNull, isoTime } from "../iso-time.ts";
import type { LiveProgress } from "../live/progress.ts";
import type { JobRow, TaskRow } from "../store/rows.ts";

export const buildJobInfo = (row: JobRow, progress: LiveProgress): JobInfo => ({
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

export const buildTaskInfo = (
  row: Omit<TaskRow, "intent" | "published" | "tags" | "requires" | "weight"> & { readonly published?: Promised },
  progress: LiveProgress,
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
  ...(row.published?.weaker && { warnings: describeWeaknesses(row) }),
});

type Promised = { readonly weaker?: readonly Weakness[] | undefined } | undefined;

/** The weaker guarantees of the storage of a task's targets, as sentences. */
export const describeWeaknesses = ({ published }: { readonly published?: Promised }): string[] =>
  (published?.weaker ?? []).map(weaknessText);
