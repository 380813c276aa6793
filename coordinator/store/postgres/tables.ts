import { opened } from "./connection/database.ts";

export const jobColumns = `jobs.id, jobs.name, jobs.user_tag, jobs.priority, jobs.status, jobs.substatus, jobs.progress,
    jobs.creation_time, jobs.start_time, jobs.end_time, jobs.expiration, jobs.expiration_time, jobs.error, jobs.stopped,
    jobs.begun, jobs.owner, jobs.owner_id, jobs.owner_group, jobs.origin, jobs.parent_id, jobs.traceparent`;

export const jobSql = `SELECT ${jobColumns} FROM jobs WHERE id = $1`;

/** Without the request itself. */
export const definitionColumns = "elements, connections, warnings";
export const definitionSql = `SELECT ${definitionColumns} FROM job_definitions WHERE job_id = $1`;

/** Columns of tasks and of their current attempts, apart from the priority. */
export const taskColumns = `tasks.id, tasks.job_id, element_uid, path, uid, tasks.name, kind, purpose, tasks.state, tags,
    requires, weight, demand, retry_count, retry_delay_sec, retry_nr, losses, attempt, tasks.creation_time, ready_time,
    tasks.start_time, tasks.end_time, attempts.node_id, ${opened("awaits")}, ${opened("tasks.failure", "failure")},
    ${opened("intent")}, ${opened("published")}`;

export const taskSource = "FROM tasks LEFT JOIN attempts ON attempts.counter = attempt";
export const taskSelect = `SELECT ${taskColumns}, tasks.priority ${taskSource}`;

/** A task's state for people: a failed one that somebody stopped is stopped. Only old rows lack the column. */
export const shownStateSql = `CASE
  WHEN tasks.state = 'failed' AND coalesce(tasks.cause, tasks.failure ->> 'cause') = 'cancelled'
  THEN 'stopped' ELSE tasks.state END`;

export const attemptColumns = "counter, epoch, task_id, job_id, node_id, attempts.state, assigned, ended";
export const attemptSelect = `SELECT ${attemptColumns} FROM attempts JOIN tasks ON tasks.id = task_id`;

export const runColumns = `uid, path, state, rounds, ${opened("assets")}, ${opened("failure")}, ${opened("batches")}`;

export const scheduleColumns = 'paused, start_after AS "startAfter", task_tags AS tags';

export const nodeSelect = `SELECT id, key_hash AS "keyHash", state, hello AS profile, tags AS "ownTags",
    slots AS "ownSlots", enrolled, joined_by AS "joinedBy", pending, last_seen AS "lastSeen", left_at AS "left", lost_at AS lost,
    revoked, compute_group AS "group", health, health_since AS since, health_until AS until, health_why AS why, strikes
  FROM nodes`;

/** What an API user may do; `scopes` is JSON. */
export const powerColumns = 'scopes, reach, group_name AS "group"';
