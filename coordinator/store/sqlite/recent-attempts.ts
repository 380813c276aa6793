import { mostAttempts, mostPending, type RecentAttempts } from "../recent-attempts.ts";
import type { Connections } from "./connections.ts";
import { purposeSql } from "./job-views.ts";

const sql = `SELECT counter, node_id, task_id, job_id, attempts.state, assigned, ended, tasks.name, jobs.name AS job, kind,
    tasks.state AS task_state, attempts.failure ->> '$.cause' AS cause,
    substr(attempts.failure ->> '$.message', 1, 500) AS message
  FROM attempts CROSS JOIN tasks ON tasks.id = task_id CROSS JOIN jobs ON jobs.id = job_id
  WHERE counter > (SELECT coalesce(max(counter), 0) FROM attempts) - ${mostAttempts}`;

const effortColumns = `(SELECT max(value ->> '$.duration') FROM json_each(work, '$.steps')) AS seconds,
    (SELECT max(value ->> '$.expect.video.codec') FROM json_each(work, '$.outputs')) AS codec,
    (SELECT sum((value ->> '$.expect.video.width') * (value ->> '$.expect.video.height'))
      FROM json_each(work, '$.outputs')) AS pixels`;

const workSql = `SELECT counter, kind, ${purposeSql} AS purpose, node_id, json_extract(stats, '$.wallMs') AS wallMs,
    ${effortColumns}
  FROM attempts CROSS JOIN tasks ON tasks.id = task_id
  WHERE counter > (SELECT coalesce(max(counter), 0) FROM attempts) - ? AND attempts.state = 'published'
  ORDER BY counter DESC LIMIT 1000`;

const openSql = `SELECT id AS task_id, job_id, kind, ${purposeSql} AS purpose, state, element_uid,
    ${effortColumns}
  FROM tasks WHERE job_id IN (SELECT value FROM json_each(?)) AND state NOT IN ('completed', 'failed') LIMIT ?`;

/** On the reader thread. Attempts have no index by time. */
export const createRecentAttempts = ({ reader }: Connections): RecentAttempts => ({
  since: (from) => reader.all(`${sql} AND (ended IS NULL OR ended > ?) ORDER BY counter`, [from]),
  ofNode: (nodeId, from) =>
    reader.all(`${sql} AND node_id = ? AND (ended IS NULL OR ended > ?) ORDER BY counter`, [nodeId, from]),
  samples: (most) => reader.all(workSql, [most]),
  openWork: (jobIds, most) => reader.all(openSql, [JSON.stringify(jobIds), most]),
  openJobs: (most) =>
    reader.all(
      `SELECT id, status FROM (SELECT id, status FROM jobs WHERE status = 'active' ORDER BY id LIMIT ?)
       UNION ALL SELECT id, status FROM (SELECT id, status FROM jobs WHERE status = 'queued' ORDER BY id LIMIT ?)`,
      [most, most],
    ),
  pendingKinds: (jobIds) =>
    reader.all(
      `SELECT job_id, value ->> '$.kind' AS kind FROM job_definitions AS d, json_each(elements)
       WHERE job_id IN (SELECT value FROM json_each(?)) AND NOT EXISTS
         (SELECT 1 FROM element_runs AS r WHERE r.job_id = d.job_id AND r.uid = value ->> '$.uid')
       LIMIT ${mostPending}`,
      [JSON.stringify(jobIds)],
    ),
});
