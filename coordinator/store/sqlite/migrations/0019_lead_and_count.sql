-- Who leads, and which batch it wrote last: a batch moves this row on, and an old leader finds it moved.
CREATE TABLE lead (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch INTEGER NOT NULL,
  batch INTEGER NOT NULL
) STRICT;
INSERT INTO lead VALUES (1, coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'epoch'), 0), 0);
DELETE FROM meta WHERE key = 'epoch';

-- The last id that was given. A batch that gives ids raises them.
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  n INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO counters SELECT column1, coalesce((SELECT seq FROM sqlite_sequence WHERE name = column1), 0)
  FROM (VALUES ('jobs'), ('tasks'), ('attempts'), ('nodes'));

-- Batches carry how counts change.
DROP TRIGGER jobs_inserted;
DROP TRIGGER jobs_deleted;
DROP TRIGGER jobs_moved;

-- A job is begun when its first elements are started: by priority and age.
ALTER TABLE jobs ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET begun = 1 WHERE status NOT IN ('queued', 'active')
  OR EXISTS (SELECT 1 FROM element_runs WHERE job_id = jobs.id);
CREATE INDEX jobs_to_begin ON jobs (priority DESC, id) WHERE begun = 0;
