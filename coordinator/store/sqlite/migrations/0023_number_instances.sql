-- Elements behind a folder_enum run once for each batch. A path holds the numbers of the batches, outermost first, joined
-- by dots; it is empty for what runs once in its job.
CREATE TABLE runs (
  job_id INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  uid TEXT NOT NULL,
  path TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('planning', 'running', 'succeeded', 'failed', 'skipped')), -- one without a row waits
  rounds INTEGER NOT NULL DEFAULT 0, -- how often facts were asked for
  assets TEXT CHECK (assets IS NULL OR json_valid(assets)), -- what it passes on, once it succeeded
  failure TEXT CHECK (failure IS NULL OR json_valid(failure)),
  batches TEXT CHECK (batches IS NULL OR json_valid(batches)), -- what an enumeration found
  PRIMARY KEY (job_id, uid, path)
) STRICT, WITHOUT ROWID;
INSERT INTO runs SELECT job_id, uid, '', state, rounds, assets, failure, NULL FROM element_runs;
DROP TABLE element_runs;
ALTER TABLE runs RENAME TO element_runs;

ALTER TABLE tasks ADD COLUMN path TEXT NOT NULL DEFAULT '';
CREATE INDEX tasks_in_batches ON tasks (job_id, path) WHERE path <> '';

-- Files that a task found in folders, in their order, a page a row.
CREATE TABLE listings (
  task_id INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
  page INTEGER NOT NULL,
  files TEXT NOT NULL CHECK (json_valid(files)),
  PRIMARY KEY (task_id, page)
) STRICT, WITHOUT ROWID;
