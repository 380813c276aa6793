export const jobColumns =
  "id, name, user_tag, priority, status, substatus, progress, creation_time, start_time, end_time, expiration, expiration_time, error, stopped, begun, owner, owner_id, owner_group, origin, parent_id, traceparent";

export const jobSql = `SELECT ${jobColumns} FROM jobs WHERE id = ?`;

/** Without the request itself. */
export const definitionSql = "SELECT elements, connections, warnings FROM job_definitions WHERE job_id = ?";

/** Columns of tasks and of their current attempts, apart from the priority. */
export const taskColumns = `tasks.id, job_id, element_uid, path, uid, tasks.name, kind, purpose, tasks.state, tags, requires,
    weight, demand, retry_count, retry_delay_sec, retry_nr, losses, attempt, tasks.creation_time, ready_time,
    tasks.start_time, tasks.end_time, attempts.node_id, opened(awaits) AS awaits, opened(tasks.failure) AS failure,
    opened(intent) AS intent, opened(published) AS published`;

export const taskSelect = `SELECT ${taskColumns}, priority
  FROM tasks LEFT JOIN attempts ON attempts.counter = attempt`;

/** A task's state for people: a failed one that somebody stopped is stopped. Only old rows lack the column. `of` names its table. */
export const shownStateSql = (of: "tasks." | ""): string =>
  `CASE WHEN ${of}state = 'failed' AND coalesce(${of}cause, json_extract(opened(${of}failure), '$.cause')) = 'cancelled' THEN 'stopped' ELSE ${of}state END`;

export const attemptColumns = "counter, epoch, task_id, job_id, node_id, attempts.state, assigned, ended";
export const attemptSelect = `SELECT ${attemptColumns}
  FROM attempts JOIN tasks ON tasks.id = task_id`;

export const runColumns =
  "uid, path, state, rounds, opened(assets) AS assets, opened(failure) AS failure, opened(batches) AS batches";

export const scheduleColumns = "paused, start_after AS startAfter, task_tags AS tags";

export const nodeSelect = `SELECT id, key_hash AS keyHash, state, hello AS profile, tags AS ownTags, slots AS ownSlots,
    enrolled, joined_by AS joinedBy, pending, last_seen AS lastSeen, left_at AS "left", lost_at AS lost, revoked, compute_group AS "group", health, health_since AS since,
    health_until AS until, health_why AS why, strikes
  FROM nodes`;
