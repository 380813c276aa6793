import type { Ending } from "../../../shared/model/attempt.ts";
import type { ComputeGroup, TagLimit } from "../../../shared/model/compute-group.ts";
import type { Failure } from "../../../shared/model/failure.ts";
import { type RawNode, readNode } from "../columns.ts";
import { parsed, type RawRow, readJson } from "../json.ts";
import type { AttemptRow, Counters, JobSchedule } from "../rows.ts";
import type { Lead, OpenTaskRow, Recalled, Store } from "../store.ts";
import { type Ask, type Database, opened } from "./connection/database.ts";
import { type Leading, repeated } from "./operation.ts";
import { attemptSelect, nodeSelect, scheduleColumns } from "./tables.ts";

const openJobs = "status IN ('queued', 'active')";

const endingColumns = `node_id AS "nodeId", job_id AS "jobId", task_id AS "taskId",
  (SELECT owner_id FROM jobs WHERE jobs.id = tasks.job_id) AS sender, ${opened("attempts.failure", "failure")},
  ended AS at`;

/** A coordinator's run: its epoch, and the data it needs at the start. */
export const createLeads = (
  database: Database,
  leading: Leading,
): Pick<Store, "lead" | "leading" | "settle" | "recall"> => ({
  lead: (atLeast) =>
    repeated(() =>
      database.transaction("write", async (ask) => {
        // Waits for operations of the leader before, which hold a share of the row; later ones are refused.
        await ask("SELECT epoch FROM lead FOR UPDATE");
        const [lead] = await ask<Lead>(
          "UPDATE lead SET epoch = greatest(epoch + 1, $1), batch = 0 RETURNING epoch, batch",
          atLeast,
        );
        leading.epoch = lead?.epoch;
        return lead as Lead; // the table has one row
      }),
    ),
  leading: () => current(database),
  settle: async ({ epoch, nr }) => {
    const [moved] = await database.ask<Lead>(settleSql, epoch, nr);
    return moved ?? current(database);
  },
  recall: (lastAttempts) => database.transaction("read", (ask) => recall(ask, lastAttempts)),
});

const current = async ({ ask }: Pick<Database, "ask">): Promise<Lead> => {
  const [lead] = await ask<Lead>("SELECT epoch, batch FROM lead");
  return lead as Lead; // the table has one row
};

/**
 * Waits for a batch that was cut off while it was written: its transaction holds the row. One that still lies unread on its
 * way to the server finds the lead moved on, and is refused. Moved by two, so that asking again tells both outcomes apart.
 */
const settleSql = `UPDATE lead SET batch = $2::bigint + 1 WHERE epoch = $1 AND batch = $2::bigint - 1
  RETURNING epoch, batch`;

type RawEnding = Omit<Ending, "cause"> & { readonly failure: string | null };

const recall = async (ask: Ask, lastAttempts: number): Promise<Recalled> => {
  const endingOf = ({ failure, ...ending }: RawEnding): Ending => ({
    ...ending,
    cause: parsed<Failure>(failure)?.cause,
  });
  // Looked up once: a million jobs may wait that have not begun, and have no tasks.
  const active = (
    await ask<{ id: number }>("SELECT id FROM jobs WHERE status = 'active' OR (status = 'queued' AND begun = 1)")
  ).map(({ id }) => id);
  // All other questions go out together.
  const [counters, nodes, groups, limits, attempts, tasks, turns, held, failures, endings] = await Promise.all([
    ask<{ name: string; n: number }>("SELECT name, n FROM counters"),
    ask<RawNode>(`${nodeSelect} ORDER BY id`),
    ask("SELECT name, provided_tags, mandatory_tags FROM compute_groups ORDER BY name"),
    ask<TagLimit>("SELECT tag, most FROM tag_limits ORDER BY tag"),
    ask<AttemptRow>(`${attemptSelect} WHERE attempts.state IN ('assigned', 'running', 'committing')`),
    ask(tasksSql, active),
    ask<{ jobId: number; turn: number }>(turnsSql, active),
    ask<RawRow & { readonly jobId: number }>(
      `SELECT job_id AS "jobId", ${scheduleColumns} FROM job_schedules JOIN jobs ON id = job_id
       WHERE (paused IS NOT NULL OR start_after IS NOT NULL) AND ${openJobs}`,
    ),
    ask<RawEnding>(
      `SELECT ${endingColumns} FROM tasks JOIN attempts ON task_id = tasks.id
       WHERE job_id = ANY($1) AND attempts.state = 'failed' ORDER BY counter`,
      active,
    ),
    ask<RawEnding>(
      `SELECT ${endingColumns} FROM attempts JOIN tasks ON tasks.id = task_id
       WHERE counter > (SELECT max(counter) FROM attempts) - $1 AND attempts.state IN ('published', 'failed')
       ORDER BY ended NULLS FIRST, counter`,
      lastAttempts,
    ),
  ]);
  return {
    counters: Object.fromEntries(counters.map(({ name, n }) => [name, n])) as Counters, // the schema has a row for each
    nodes: nodes.map(readNode),
    groups: groups.map((raw) => readJson<ComputeGroup>(raw, "provided_tags", "mandatory_tags")),
    limits,
    attempts,
    tasks: tasks.map((raw) => readJson<OpenTaskRow>(raw, "tags", "requires", "demand", "awaits")),
    turns: turns.map(({ jobId, turn }) => [jobId, turn]),
    held: held.map(({ jobId, ...raw }): [number, JobSchedule] => [jobId, readJson<JobSchedule>(raw, "tags")]),
    active,
    failures: failures.map(endingOf),
    endings: endings.map(endingOf),
  };
};

const tasksSql = `SELECT tasks.id, job_id AS "jobId", element_uid AS "elementUid", tasks.name, tasks.kind, state,
    coalesce(tasks.priority, jobs.priority) AS priority, tags, requires, weight, demand, ready_time AS "readyTime",
    retry_nr AS "retryNr", ${opened("awaits")}
  FROM jobs JOIN tasks ON job_id = jobs.id
  WHERE jobs.id = ANY($1) AND state IN ('ready', 'delayed', 'running', 'committing')`;

const turnsSql = `SELECT job_id AS "jobId", max(attempt) AS turn FROM tasks
  WHERE job_id = ANY($1) AND attempt IS NOT NULL GROUP BY job_id`;
