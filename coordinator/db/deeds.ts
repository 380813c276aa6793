import type { DeedAction } from "../../shared/deed.ts";
import type { Db } from "./open.ts";

export type NewDeed = {
  readonly at: number;
  readonly who: string;
  readonly action: DeedAction;
  readonly jobId: number | null;
  readonly nodeId: number | null;
  readonly note: string | null;
};
export type DeedRow = NewDeed & { readonly id: number };

/** So many are kept; older ones go. */
const mostDeeds = 100_000;

const columns = "id, at, who, action, job_id AS jobId, node_id AS nodeId, note";

/** What was done to jobs and nodes, by whom. */
export const createDeedStore = ({ writer, reader }: Db) => {
  // A job may be deleted by the time that its deed is written.
  const insert = writer.prepare(
    `INSERT INTO deeds (at, who, action, job_id, node_id, note) SELECT ?1, ?2, ?3, ?4, ?5, ?6
     WHERE (?4 IS NULL OR EXISTS (SELECT 1 FROM jobs WHERE id = ?4))
       AND (?5 IS NULL OR EXISTS (SELECT 1 FROM nodes WHERE id = ?5))`,
  );
  const trim = writer.prepare("DELETE FROM deeds WHERE id <= ?");
  return {
    add: ({ at, who, action, jobId, nodeId, note }: NewDeed): void => {
      const { lastInsertRowid } = insert.run({ 1: at, 2: who, 3: action, 4: jobId, 5: nodeId, 6: note });
      trim.run(Number(lastInsertRowid) - mostDeeds);
    },
    /** Newest first. */
    ofJob: (jobId: number, take: number): Promise<DeedRow[]> =>
      reader.all(`SELECT ${columns} FROM deeds WHERE job_id = ? ORDER BY id DESC LIMIT ?`, [jobId, take]),
    ofNode: (nodeId: number, take: number): Promise<DeedRow[]> =>
      reader.all(`SELECT ${columns} FROM deeds WHERE node_id = ? ORDER BY id DESC LIMIT ?`, [nodeId, take]),
    latest: (take: number): Promise<DeedRow[]> =>
      reader.all(`SELECT ${columns} FROM deeds ORDER BY id DESC LIMIT ?`, [take]),
    /** The last of these of each job. */
    lastOfJobs: (jobIds: readonly number[], actions: readonly DeedAction[]): Promise<DeedRow[]> =>
      reader.all(
        `SELECT ${columns} FROM deeds WHERE id IN (
           SELECT max(id) FROM deeds WHERE job_id IN (SELECT value FROM json_each(?))
             AND action IN (SELECT value FROM json_each(?)) GROUP BY job_id)`,
        [JSON.stringify(jobIds), JSON.stringify(actions)],
      ),
    lastOfNodes: (actions: readonly DeedAction[]): Promise<DeedRow[]> =>
      reader.all(
        `SELECT ${columns} FROM deeds WHERE id IN (
           SELECT max(id) FROM deeds WHERE node_id IS NOT NULL
             AND action IN (SELECT value FROM json_each(?)) GROUP BY node_id)`,
        [JSON.stringify(actions)],
      ),
  };
};
