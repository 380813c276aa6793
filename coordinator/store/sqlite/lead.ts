import type { Ending } from "../../../shared/model/attempt.ts";
import type { ComputeGroup, TagLimit } from "../../../shared/model/compute-group.ts";
import type { Failure } from "../../../shared/model/failure.ts";
import { type RawNode, readNode } from "../columns.ts";
import { parsed, type RawRow, readJson } from "../json.ts";
import type { AttemptRow, Counters, JobSchedule } from "../rows.ts";
import type { Lead, OpenTaskRow, Recalled, Store } from "../store.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";
import { attemptSelect, nodeSelect, scheduleColumns } from "./tables.ts";

const openJobs = "status IN ('queued', 'active')";

const endingColumns = `node_id AS nodeId, job_id AS jobId, task_id AS taskId, opened(attempts.failure) AS failure,
    (SELECT owner_id FROM jobs WHERE jobs.id = tasks.job_id) AS sender, ended AS at`;

/** A coordinator's run: its epoch, and the data it needs at the start. */
export const createLeads = ({ writer, point }: Connections): Pick<Store, "lead" | "leading" | "settle" | "recall"> => {
  const current = point.prepare<[], Lead>("SELECT epoch, batch FROM lead");
  const begin = writer.prepare<[number], Lead>(
    "UPDATE lead SET epoch = max(epoch + 1, ?), batch = 0 RETURNING epoch, batch",
  );
  return {
    lead: createOperation(writer)((atLeast: number) => begin.get(atLeast) as Lead), // the table has one row
    leading: async () => current.get() as Lead,
    // Nothing is on its way any more, and a disk that fails need not be written for an answer.
    settle: async () => current.get() as Lead,
    recall: async (lastAttempts) => recall(point, lastAttempts),
  };
};

type RawEnding = Omit<Ending, "cause"> & { readonly failure: string | null };

const recall = (point: Connections["point"], lastAttempts: number): Recalled => {
  const all = <Row>(sql: string, ...params: (number | string)[]): Row[] =>
    point.prepare<unknown[], Row>(sql).all(...params);
  // Looked up once: a million jobs may wait that have not begun, and have no tasks.
  const active = all<{ id: number }>(
    "SELECT id FROM jobs WHERE status = 'active' OR (status = 'queued' AND begun = 1)",
  ).map(({ id }) => id);
  const begun = JSON.stringify(active);
  const endingOf = ({ failure, ...ending }: RawEnding): Ending => ({
    ...ending,
    cause: parsed<Failure>(failure)?.cause,
  });
  return {
    counters: Object.fromEntries(
      all<{ name: string; n: number }>("SELECT name, n FROM counters").map(({ name, n }) => [name, n]),
    ) as Counters, // the migration created a row for each
    nodes: all<RawNode>(`${nodeSelect} ORDER BY id`).map(readNode),
    groups: all<RawRow>("SELECT name, provided_tags, mandatory_tags FROM compute_groups ORDER BY name").map((raw) =>
      readJson<ComputeGroup>(raw, "provided_tags", "mandatory_tags"),
    ),
    limits: all<TagLimit>("SELECT tag, most FROM tag_limits ORDER BY tag"),
    attempts: all<AttemptRow>(`${attemptSelect} WHERE attempts.state IN ('assigned', 'running', 'committing')`),
    tasks: all<RawRow>(
      `SELECT tasks.id, job_id AS jobId, element_uid AS elementUid, tasks.name, tasks.kind, state,
         coalesce(tasks.priority, jobs.priority) AS priority, tags, requires, weight, demand, ready_time AS readyTime,
         retry_nr AS retryNr, opened(awaits) AS awaits
       FROM json_each(?) AS begun CROSS JOIN jobs ON jobs.id = begun.value JOIN tasks ON job_id = jobs.id
       WHERE state IN ('ready', 'delayed', 'running', 'committing')`,
      begun,
    ).map((raw) => readJson<OpenTaskRow>(raw, "tags", "requires", "demand", "awaits")),
    turns: all<{ jobId: number; turn: number }>(
      `SELECT job_id AS jobId, max(attempt) AS turn FROM json_each(?) AS begun CROSS JOIN tasks ON job_id = begun.value
       WHERE attempt IS NOT NULL GROUP BY job_id`,
      begun,
    ).map(({ jobId, turn }) => [jobId, turn]),
    held: all<RawRow & { readonly jobId: number }>(
      `SELECT job_id AS jobId, ${scheduleColumns} FROM job_schedules CROSS JOIN jobs ON id = job_id
       WHERE (paused IS NOT NULL OR start_after IS NOT NULL) AND ${openJobs}`,
    ).map(({ jobId, ...raw }): [number, JobSchedule] => [jobId, readJson<JobSchedule>(raw, "tags")]),
    active,
    failures: all<RawEnding>(
      `SELECT ${endingColumns} FROM json_each(?) AS begun CROSS JOIN tasks ON job_id = begun.value
         JOIN attempts ON task_id = tasks.id
       WHERE attempts.state = 'failed' ORDER BY counter`,
      begun,
    ).map(endingOf),
    endings: all<RawEnding>(
      `SELECT ${endingColumns} FROM attempts JOIN tasks ON tasks.id = task_id
       WHERE counter > (SELECT max(counter) FROM attempts) - ? AND attempts.state IN ('published', 'failed')
       ORDER BY ended, counter`,
      lastAttempts,
    ).map(endingOf),
  };
};
