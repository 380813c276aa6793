import { join } from "node:path";
import Database from "better-sqlite3";

/** Puts so many completed, failed and stopped jobs into a coordinator's database, with a task each. Nobody may have it open. */
export const fillJobs = (folder: string, count: number): void => {
  const db = new Database(databaseIn(folder));
  db.pragma("synchronous = OFF");
  db.pragma("temp_store = MEMORY");
  db.exec(`BEGIN; ${statements(count)}; COMMIT`);
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
};

/** A connection that reads while the farm runs: the bare SQL that the farm's answers are held against. */
export const readJobs = (folder: string): Database.Database => new Database(databaseIn(folder), { readonly: true });

const databaseIn = (folder: string): string => join(folder, "farm/coordinator/farm.db");

/** Names and tags with ties, times that grow with the id and such that do not. Three in five are completed. */
const statements = (count: number): string => `
  CREATE TEMP TABLE numbers AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${count}) SELECT i FROM n;
  INSERT INTO jobs (name, user_tag, priority, status, substatus, progress, creation_time, start_time, end_time, expiration,
    expiration_time, begun)
  SELECT 'job ' || (i * 7919 % 99991), CASE WHEN i % 2 THEN 'tag ' || (i % 3) END, 1 + i % 254,
    CASE WHEN i % 5 < 3 THEN 'completed' ELSE 'failed' END,
    CASE WHEN i % 5 = 3 THEN 'stopped' END,
    CASE WHEN i % 5 < 3 THEN 100 ELSE i % 100 END, 1.7e12 + i * 997,
    CASE WHEN i % 5 < 4 THEN 1.7e12 + i * 997 + i % 5003 END, 1.7e12 + i * 997 + i * 31 % 90001,
    259200, 1.9e12 + i * 997 + i * 31 % 90001, 1
  FROM numbers;
  DELETE FROM job_counts;
  INSERT INTO job_counts SELECT status, coalesce(substatus, ''), count(*) FROM jobs GROUP BY 1, 2;
  UPDATE counters SET n = ${count} WHERE name IN ('jobs', 'tasks');
  INSERT INTO job_definitions (job_id, definition, elements, connections, warnings)
  SELECT i, '{"name":"job","payload":{"elements":[]},"user_data":"${"x".repeat(300)}"}', '[]', '[]', '[]'
  FROM numbers;
  INSERT INTO tasks (job_id, element_uid, path, uid, name, kind, purpose, state, tags, requires, weight, demand, work,
    retry_count, retry_delay_sec, retry_nr, losses, creation_time, ready_time)
  SELECT i, 'source', '', 'source', 'source', 'source', 'facts', 'completed', '[]', '[]', 'light', '{}',
    '{"assets":{},"outputs":{},"steps":[]}', 0, 0, 0, 0, 1.7e12, 1.7e12
  FROM numbers;
  DROP TABLE numbers`;
