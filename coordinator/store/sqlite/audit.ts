import type { AuditRow, AuditStore, NamedAuditRow, NewAuditEntry } from "../audit.ts";
import type { Connections } from "./connections.ts";
import { createOperation } from "./operation.ts";

/** The number of actions kept; older ones are deleted. */
const mostEntries = 100_000;

const columns = "id, at, who, action, job_id AS jobId, node_id AS nodeId, note";

export const createAuditStore = ({ writer, reader }: Connections): AuditStore => {
  // The job may be deleted by the time its action is written.
  const insert = writer.prepare(
    `INSERT INTO audit (at, who, action, job_id, node_id, note) SELECT ?1, ?2, ?3, ?4, ?5, ?6
     WHERE (?4 IS NULL OR EXISTS (SELECT 1 FROM jobs WHERE id = ?4))
       AND (?5 IS NULL OR EXISTS (SELECT 1 FROM nodes WHERE id = ?5))`,
  );
  const trim = writer.prepare("DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ?");
  const add = ({ at, who, action, jobId, nodeId, note }: NewAuditEntry) =>
    insert.run({ 1: at, 2: who, 3: action, 4: jobId, 5: nodeId, 6: note });
  const all = (sql: string, ...params: unknown[]) => reader.all<AuditRow>(sql, params);
  return {
    add: createOperation(writer)((entries) => {
      for (const each of entries) add(each);
      trim.run(mostEntries);
    }),
    ofJob: (jobId, take) => all(`SELECT ${columns} FROM audit WHERE job_id = ? ORDER BY id DESC LIMIT ?`, jobId, take),
    ofNode: (nodeId, take) =>
      all(`SELECT ${columns} FROM audit WHERE node_id = ? ORDER BY id DESC LIMIT ?`, nodeId, take),
    latest: (take) =>
      reader.all<NamedAuditRow>(
        `SELECT ${columns}, (SELECT name FROM jobs WHERE jobs.id = audit.job_id) AS jobName FROM audit
         ORDER BY id DESC LIMIT ?`,
        [take],
      ),
    lastOfJobs: (jobIds, actions) =>
      all(
        `SELECT ${columns} FROM audit WHERE id IN (
           SELECT max(id) FROM audit WHERE job_id IN (SELECT value FROM json_each(?))
             AND action IN (SELECT value FROM json_each(?)) GROUP BY job_id)`,
        JSON.stringify(jobIds),
        JSON.stringify(actions),
      ),
    lastOfNodes: (actions) =>
      all(
        `SELECT ${columns} FROM audit WHERE id IN (
           SELECT max(id) FROM audit WHERE node_id IS NOT NULL
             AND action IN (SELECT value FROM json_each(?)) GROUP BY node_id)`,
        JSON.stringify(actions),
      ),
  };
};
