import type { UiJobRow } from "../../../shared/api/job-view.ts";
import type { JobInfo } from "../../../shared/model/job-info.ts";

/** A running job as programs and pages see it. */
export const aJobInfo = (id: number | string, more: Partial<JobInfo> = {}): JobInfo => ({
  ...{ id: String(id), name: `job ${id}`, user_tag: null, owner: null, origin: null, parent_id: null, priority: 100 },
  ...{ status: "active", substatus: "running", progress: 10, error: null },
  ...{ creation_time: time, start_time: time, end_time: null, expiration_time: null },
  ...more,
});

/** Its row in the list of jobs. */
export const aJobRow = (id: number | string, more: Partial<UiJobRow> = {}): UiJobRow => ({
  ...aJobInfo(id),
  task_counts: { queued: 1, running: 1, completed: 0, failed: 0, stopped: 0 },
  happening: { running: null, waiting: null, retry: null, held: null, last_action: null },
  finish: null,
  turn: null,
  ...more,
});

const time = "2026-11-21T10:00:00.000Z";
