import type { Cause } from "../../shared/causes.ts";
import type { AttemptState } from "../../shared/state/attempt.ts";
import type { TaskState } from "../../shared/state/task.ts";
import type { Db } from "./open.ts";

export type RecentAttempt = {
  readonly counter: number;
  readonly node_id: number;
  readonly task_id: number;
  readonly job_id: number;
  readonly state: AttemptState;
  readonly assigned: number;
  readonly ended: number | null;
  readonly name: string;
  readonly job: string;
  readonly kind: string;
  readonly task_state: TaskState;
  readonly cause: Cause | null;
  readonly message: string | null;
};

/** Attempts that are looked at: their table has no index by time, and its end is what is wanted. */
export const mostAttempts = 20_000;

const sql = `SELECT counter, node_id, task_id, job_id, attempts.state, assigned, ended, tasks.name, jobs.name AS job, kind,
    tasks.state AS task_state, attempts.failure ->> '$.cause' AS cause,
    substr(attempts.failure ->> '$.message', 1, 500) AS message
  FROM attempts CROSS JOIN tasks ON tasks.id = task_id CROSS JOIN jobs ON jobs.id = job_id
  WHERE counter > (SELECT coalesce(max(counter), 0) FROM attempts) - ${mostAttempts}`;

const workSql = `SELECT counter, kind, purpose, node_id, json_extract(stats, '$.wallMs') AS wallMs,
    (SELECT max(value ->> '$.duration') FROM json_each(work, '$.steps')) AS seconds,
    (SELECT max(value ->> '$.expect.video.codec') FROM json_each(work, '$.outputs')) AS codec,
    (SELECT sum((value ->> '$.expect.video.width') * (value ->> '$.expect.video.height'))
      FROM json_each(work, '$.outputs')) AS pixels
  FROM attempts CROSS JOIN tasks ON tasks.id = task_id
  WHERE counter > (SELECT coalesce(max(counter), 0) FROM attempts) - ? AND attempts.state = 'published'
  ORDER BY counter DESC LIMIT 1000`;

const openSql = `SELECT id AS task_id, job_id, kind, purpose, state, element_uid,
    (SELECT max(value ->> '$.duration') FROM json_each(work, '$.steps')) AS seconds,
    (SELECT max(value ->> '$.expect.video.codec') FROM json_each(work, '$.outputs')) AS codec,
    (SELECT sum((value ->> '$.expect.video.width') * (value ->> '$.expect.video.height'))
      FROM json_each(work, '$.outputs')) AS pixels
  FROM tasks WHERE job_id IN (SELECT value FROM json_each(?)) AND state NOT IN ('completed', 'failed') LIMIT ?`;

export type WorkSample = {
  readonly counter: number;
  readonly kind: string;
  readonly purpose: "facts" | "work";
  readonly node_id: number;
  readonly wallMs: number | null;
  readonly seconds: number | null;
  readonly codec: string | null;
  readonly pixels: number | null;
};
export type OpenWork = Omit<WorkSample, "counter" | "node_id" | "wallMs"> & {
  readonly task_id: number;
  readonly job_id: number;
  readonly state: TaskState;
  readonly element_uid: string;
};

/** The last attempts of the whole farm, on the reader thread: what reports and estimates are made from. */
export const createRecentAttemptStore = ({ reader }: Db) => ({
  since: (from: number): Promise<RecentAttempt[]> =>
    reader.all(`${sql} AND (ended IS NULL OR ended > ?) ORDER BY counter`, [from]),
  ofNode: (nodeId: number, from: number): Promise<RecentAttempt[]> =>
    reader.all(`${sql} AND node_id = ? AND (ended IS NULL OR ended > ?) ORDER BY counter`, [nodeId, from]),
  /** What published attempts took, newest first. */
  samples: (most: number): Promise<WorkSample[]> => reader.all(workSql, [most]),
  /** Open tasks of these jobs, with what their effort is guessed from. */
  openWork: (jobIds: readonly number[], most: number): Promise<OpenWork[]> =>
    reader.all(openSql, [JSON.stringify(jobIds), most]),
  /** Jobs that have not ended, active ones first. */
  openJobs: (most: number): Promise<{ id: number }[]> =>
    reader.all(
      `SELECT id FROM (SELECT id FROM jobs WHERE status = 'active' ORDER BY id LIMIT ?)
       UNION ALL SELECT id FROM (SELECT id FROM jobs WHERE status = 'queued' ORDER BY id LIMIT ?)`,
      [most, most],
    ),
  /** Elements of these jobs that nobody has begun: what will follow. */
  pendingKinds: (jobIds: readonly number[]): Promise<{ job_id: number; kind: string }[]> =>
    reader.all(
      `SELECT job_id, value ->> '$.kind' AS kind FROM job_definitions AS d, json_each(elements)
       WHERE job_id IN (SELECT value FROM json_each(?)) AND NOT EXISTS
         (SELECT 1 FROM element_runs AS r WHERE r.job_id = d.job_id AND r.uid = value ->> '$.uid')
       LIMIT 5000`,
      [JSON.stringify(jobIds)],
    ),
});
