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
  return {
    add: createOperation(writer)((entries) => {
      for (const each of entries) add(each);
      trim.run(mostEntries);
    }),
    list: ({ jobId, nodeId }, take) => {
      const [where, id] = jobId === undefined ? ["node_id = ?", nodeId] : ["job_id = ?", jobId];
      return reader.all<NamedAuditRow>(
        `SELECT ${columns}, (SELECT name FROM jobs WHERE jobs.id = audit.job_id) AS jobName FROM audit
         ${id === undefined ? "" : `WHERE ${where}`} ORDER BY id DESC LIMIT ?`,
        id === undefined ? [take] : [id, take],
      );
    },
    last: (actions, of) => {
      const [column, which] =
        of === "nodes" ? ["node_id", "IS NOT NULL"] : ["job_id", "IN (SELECT value FROM json_each(?))"];
      return reader.all<AuditRow>(
        `SELECT ${columns} FROM audit WHERE id IN (
           SELECT max(id) FROM audit WHERE ${column} ${which}
             AND action IN (SELECT value FROM json_each(?)) GROUP BY ${column})`,
        [...(of === "nodes" ? [] : [JSON.stringify(of)]), JSON.stringify(actions)],
      );
    },
  };
};
