import type { AuditRow, AuditStore, NamedAuditRow } from "../audit.ts";
import type { Database } from "./connection/database.ts";
import type { Operation } from "./operation.ts";

/** The number of actions kept; older ones are deleted. */
const mostEntries = 100_000;

const columns = 'id, at, who, action, job_id AS "jobId", node_id AS "nodeId", note';

// The job may be deleted by the time its action is written.
const insertSql = `INSERT INTO audit (at, who, action, job_id, node_id, note)
  SELECT $1::bigint, $2::text, $3::text, $4::bigint, $5::bigint, $6::text
  WHERE ($4::bigint IS NULL OR EXISTS (SELECT 1 FROM jobs WHERE id = $4))
    AND ($5::bigint IS NULL OR EXISTS (SELECT 1 FROM nodes WHERE id = $5))`;

export const createAuditStore = ({ ask }: Database, operation: Operation): AuditStore => ({
  add: operation(async (within, entries) => {
    await Promise.all(
      entries.map(({ at, who, action, jobId, nodeId, note }) =>
        within(insertSql, at, who, action, jobId, nodeId, note),
      ),
    );
    await within("DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - $1", mostEntries);
  }),
  list: ({ jobId, nodeId }, take) => {
    const [where, id] = jobId === undefined ? ["node_id = $2", nodeId] : ["job_id = $2", jobId];
    return ask<NamedAuditRow>(
      `SELECT ${columns}, (SELECT name FROM jobs WHERE jobs.id = audit.job_id) AS "jobName" FROM audit
       ${id === undefined ? "" : `WHERE ${where}`} ORDER BY id DESC LIMIT $1`,
      ...(id === undefined ? [take] : [take, id]),
    );
  },
  last: (actions, of) => {
    const [column, which] = of === "nodes" ? ["node_id", "IS NOT NULL"] : ["job_id", "= ANY($2::bigint[])"];
    return ask<AuditRow>(
      `SELECT ${columns} FROM audit WHERE id IN (
         SELECT max(id) FROM audit WHERE ${column} ${which} AND action = ANY($1::text[]) GROUP BY ${column})`,
      ...(of === "nodes" ? [actions] : [actions, of]),
    );
  },
});
