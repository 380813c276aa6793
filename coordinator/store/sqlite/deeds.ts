import type { DeedRow, DeedStore, NamedDeedRow, NewDeed } from "../deeds.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

/** The number of actions kept; older ones are deleted. */
const mostDeeds = 100_000;

const columns = "id, at, who, action, job_id AS jobId, node_id AS nodeId, note";

export const createDeedStore = ({ writer, reader }: Connections): DeedStore => {
  // The job may be deleted by the time its action is written.
  const insert = writer.prepare(
    `INSERT INTO deeds (at, who, action, job_id, node_id, note) SELECT ?1, ?2, ?3, ?4, ?5, ?6
     WHERE (?4 IS NULL OR EXISTS (SELECT 1 FROM jobs WHERE id = ?4))
       AND (?5 IS NULL OR EXISTS (SELECT 1 FROM nodes WHERE id = ?5))`,
  );
  const trim = writer.prepare("DELETE FROM deeds WHERE id <= (SELECT max(id) FROM deeds) - ?");
  const add = ({ at, who, action, jobId, nodeId, note }: NewDeed) =>
    insert.run({ 1: at, 2: who, 3: action, 4: jobId, 5: nodeId, 6: note });
  const all = (sql: string, ...params: unknown[]) => reader.all<DeedRow>(sql, params);
  return {
    add: createOperation(writer)((deeds) => {
      for (const each of deeds) add(each);
      trim.run(mostDeeds);
    }),
    ofJob: (jobId, take) => all(`SELECT ${columns} FROM deeds WHERE job_id = ? ORDER BY id DESC LIMIT ?`, jobId, take),
    ofNode: (nodeId, take) =>
      all(`SELECT ${columns} FROM deeds WHERE node_id = ? ORDER BY id DESC LIMIT ?`, nodeId, take),
    latest: (take) =>
      reader.all<NamedDeedRow>(
        `SELECT ${columns}, (SELECT name FROM jobs WHERE jobs.id = deeds.job_id) AS jobName FROM deeds
         ORDER BY id DESC LIMIT ?`,
        [take],
      ),
    lastOfJobs: (jobIds, actions) =>
      all(
        `SELECT ${columns} FROM deeds WHERE id IN (
           SELECT max(id) FROM deeds WHERE job_id IN (SELECT value FROM json_each(?))
             AND action IN (SELECT value FROM json_each(?)) GROUP BY job_id)`,
        JSON.stringify(jobIds),
        JSON.stringify(actions),
      ),
    lastOfNodes: (actions) =>
      all(
        `SELECT ${columns} FROM deeds WHERE id IN (
           SELECT max(id) FROM deeds WHERE node_id IS NOT NULL
             AND action IN (SELECT value FROM json_each(?)) GROUP BY node_id)`,
        JSON.stringify(actions),
      ),
  };
};
