import type { Db } from "./open.ts";

export type OutputRow = {
  readonly element_uid: string;
  readonly task_id: number;
  readonly position: number;
  readonly version: string;
  /** JSON: the file as its node saw it. */
  readonly file: string;
};

const made = `FROM tasks, json_each(published, '$.outputs') AS made, json_each(made.value) AS file
  WHERE job_id = ? AND purpose = 'work' AND tasks.state = 'completed'`;

const rowsSql = `SELECT element_uid, tasks.id AS task_id,
    row_number() OVER (PARTITION BY tasks.id ORDER BY made.id, file.id) - 1 AS position,
    coalesce((SELECT planned.value ->> '$.version' FROM json_each(work, '$.outputs') AS planned
      WHERE planned.key = made.key), made.key) AS version,
    file.value AS file
  ${made} ORDER BY tasks.id, position LIMIT ? OFFSET ?`;

/** The files that a job's tasks made, flat, on the reader thread: a job may have many thousand. */
export const createJobOutputStore = ({ reader }: Db) => ({
  rows: (jobId: number, skip: number, take: number): Promise<OutputRow[]> =>
    reader.all<OutputRow>(rowsSql, [jobId, take, skip]),
  count: async (jobId: number): Promise<number> => {
    const [row] = await reader.all<{ n: number }>(`SELECT count(*) AS n ${made}`, [jobId]);
    return row?.n ?? 0;
  },
});
