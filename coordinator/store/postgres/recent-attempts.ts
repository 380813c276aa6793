import { mostAttempts, mostPending, type RecentAttempts } from "../recent-attempts.ts";
import {
  openWorkOf,
  type RawOpenWork,
  type RawRecent,
  type RawSample,
  recentAttemptOf,
  sampleOf,
  specsIn,
} from "../shapes.ts";
import { type Ask, type Database, opened } from "./connection/database.ts";
import { purposeSql } from "./jobs/views.ts";

export const createRecentAttempts = ({ ask, transaction }: Database): RecentAttempts => ({
  since: async (from, nodeId) => (await ask<RawRecent>(attemptsSql, from, nodeId ?? null)).map(recentAttemptOf),
  samples: async (most) => (await ask<RawSample>(samplesSql, most)).map(sampleOf),
  openWork: async (jobIds, most) => (await ask<RawOpenWork>(openSql, jobIds, most)).map(openWorkOf),
  pendingKinds: (jobIds) => transaction("read", (within) => readPending(within, jobIds)),
});

const readPending = async (ask: Ask, jobIds: readonly number[]) => {
  const [definitions, runs] = await Promise.all([
    ask<{ job_id: number; elements: string }>(definitionsSql, jobIds),
    ask<{ job_id: number; uid: string }>(begunSql, jobIds),
  ]);
  const begun = new Set(runs.map(({ job_id, uid }) => `${job_id} ${uid}`));
  const pending = definitions.flatMap(({ job_id, elements }) =>
    specsIn(elements).flatMap(({ uid, kind }) => (begun.has(`${job_id} ${uid}`) ? [] : [{ job_id, kind }])),
  );
  return pending.slice(0, mostPending);
};

/** Attempts have no index by time. */
const newest = "counter > (SELECT coalesce(max(counter), 0) FROM attempts)";

const attemptsSql = `SELECT counter, node_id, task_id, job_id, attempts.state, assigned, ended, tasks.name,
    jobs.name AS job, kind, tasks.state AS task_state, ${opened("attempts.failure", "failure")}
  FROM attempts JOIN tasks ON tasks.id = task_id JOIN jobs ON jobs.id = job_id
  WHERE ${newest} - ${mostAttempts} AND ($2::bigint IS NULL OR node_id = $2) AND (ended IS NULL OR ended > $1)
  ORDER BY counter`;

const samplesSql = `SELECT counter, kind, ${purposeSql} AS purpose, node_id, stats, ${opened("work")}
  FROM attempts JOIN tasks ON tasks.id = task_id
  WHERE ${newest} - $1 AND attempts.state = 'published' ORDER BY counter DESC LIMIT 1000`;

const openSql = `SELECT id AS task_id, job_id, kind, ${purposeSql} AS purpose, state, element_uid, ${opened("work")}
  FROM tasks WHERE job_id = ANY($1) AND state NOT IN ('completed', 'failed') LIMIT $2`;

const definitionsSql = "SELECT job_id, elements FROM job_definitions WHERE job_id = ANY($1) ORDER BY job_id";
const begunSql = "SELECT DISTINCT job_id, uid FROM element_runs WHERE job_id = ANY($1)";
