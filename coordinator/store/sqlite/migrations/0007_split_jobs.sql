-- A job's row is small, so that lists and counts of a million read little; what it was made from lies beside it.
CREATE TABLE job_definitions (
  job_id INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
  definition TEXT NOT NULL CHECK (json_valid(definition)), -- as received
  connections TEXT NOT NULL CHECK (json_valid(connections)),
  warnings TEXT NOT NULL CHECK (json_valid(warnings))
) STRICT;
INSERT INTO job_definitions SELECT id, definition, connections, warnings FROM jobs;
ALTER TABLE jobs DROP COLUMN definition;
ALTER TABLE jobs DROP COLUMN connections;
ALTER TABLE jobs DROP COLUMN warnings;

-- One index for each field that lists are sorted by; ids settle ties.
DROP INDEX jobs_expiration_time;
CREATE INDEX jobs_name ON jobs (name);
CREATE INDEX jobs_user_tag ON jobs (user_tag);
CREATE INDEX jobs_priority ON jobs (priority);
CREATE INDEX jobs_substatus ON jobs (substatus);
CREATE INDEX jobs_progress ON jobs (progress);
CREATE INDEX jobs_creation_time ON jobs (creation_time);
CREATE INDEX jobs_start_time ON jobs (start_time);
CREATE INDEX jobs_end_time ON jobs (end_time);
CREATE INDEX jobs_expiration_time ON jobs (expiration_time);

-- How many jobs stand in each state, kept by the database itself whatever writes to jobs.
CREATE TABLE job_counts (
  status TEXT NOT NULL,
  substatus TEXT NOT NULL, -- '' where a job has none
  n INTEGER NOT NULL,
  PRIMARY KEY (status, substatus)
) STRICT, WITHOUT ROWID;
INSERT INTO job_counts SELECT status, coalesce(substatus, ''), count(*) FROM jobs GROUP BY 1, 2;

-- How often a job was made, changed or deleted: what a reader saw of jobs is told apart from what came after.
CREATE TABLE job_changes (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  n INTEGER NOT NULL
) STRICT;
INSERT INTO job_changes VALUES (1, 0);

CREATE TRIGGER jobs_inserted AFTER INSERT ON jobs BEGIN
  INSERT INTO job_counts VALUES (NEW.status, coalesce(NEW.substatus, ''), 1)
    ON CONFLICT (status, substatus) DO UPDATE SET n = n + 1;
  UPDATE job_changes SET n = n + 1;
END;
CREATE TRIGGER jobs_deleted AFTER DELETE ON jobs BEGIN
  UPDATE job_counts SET n = n - 1 WHERE status = OLD.status AND substatus = coalesce(OLD.substatus, '');
  UPDATE job_changes SET n = n + 1;
END;
CREATE TRIGGER jobs_updated AFTER UPDATE ON jobs BEGIN
  UPDATE job_changes SET n = n + 1;
END;
CREATE TRIGGER jobs_moved AFTER UPDATE OF status, substatus ON jobs
WHEN OLD.status <> NEW.status OR OLD.substatus IS NOT NEW.substatus BEGIN
  UPDATE job_counts SET n = n - 1 WHERE status = OLD.status AND substatus = coalesce(OLD.substatus, '');
  INSERT INTO job_counts VALUES (NEW.status, coalesce(NEW.substatus, ''), 1)
    ON CONFLICT (status, substatus) DO UPDATE SET n = n + 1;
END;
