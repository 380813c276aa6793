-- A deleted job goes at once; what it leaves goes later, some rows at a time. So rows of which a job may have very many no
-- longer go with it.
CREATE TABLE deleted_jobs (
  id INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE kept_tasks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id INTEGER NOT NULL,
  element_uid TEXT NOT NULL,
  path TEXT NOT NULL DEFAULT '', -- the batches that it belongs to
  uid TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('facts', 'work')), -- gathers facts for its element, or does its work
  state TEXT NOT NULL CHECK (state IN ('ready', 'delayed', 'running', 'committing', 'completed', 'failed')),
  priority INTEGER, -- NULL = the job's
  tags TEXT NOT NULL CHECK (json_valid(tags)),
  requires TEXT NOT NULL CHECK (json_valid(requires)),
  weight TEXT NOT NULL CHECK (weight IN ('full', 'light')),
  demand TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(demand)),
  work TEXT NOT NULL CHECK (json_valid(work)),
  retry_count INTEGER NOT NULL, -- retries allowed; -1 = without end
  retry_delay_sec INTEGER NOT NULL,
  retry_nr INTEGER NOT NULL DEFAULT 0,
  losses INTEGER NOT NULL DEFAULT 0,
  attempt INTEGER, -- the current one's counter
  awaits TEXT CHECK (awaits IS NULL OR json_valid(awaits)), -- what has to be there before it may start
  intent TEXT CHECK (intent IS NULL OR json_valid(intent)), -- of the last attempt that was granted
  failure TEXT CHECK (failure IS NULL OR json_valid(failure)),
  published TEXT CHECK (published IS NULL OR json_valid(published)),
  creation_time INTEGER NOT NULL,
  ready_time INTEGER NOT NULL, -- when it became, or will become, ready
  start_time INTEGER,
  end_time INTEGER
) STRICT;
INSERT INTO kept_tasks SELECT id, job_id, element_uid, path, uid, name, kind, purpose, state, priority, tags, requires, weight,
  demand, work, retry_count, retry_delay_sec, retry_nr, losses, attempt, awaits, intent, failure, published, creation_time,
  ready_time, start_time, end_time FROM tasks;
DROP TABLE tasks;
ALTER TABLE kept_tasks RENAME TO tasks;
CREATE INDEX tasks_job ON tasks (job_id, id);
CREATE INDEX tasks_in_batches ON tasks (job_id, path) WHERE path <> '';

CREATE TABLE kept_runs (
  job_id INTEGER NOT NULL,
  uid TEXT NOT NULL,
  path TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('planning', 'running', 'succeeded', 'failed', 'skipped')), -- one without a row waits
  rounds INTEGER NOT NULL DEFAULT 0, -- how often facts were asked for
  assets TEXT CHECK (assets IS NULL OR json_valid(assets)), -- what it passes on, once it succeeded
  failure TEXT CHECK (failure IS NULL OR json_valid(failure)),
  batches TEXT CHECK (batches IS NULL OR json_valid(batches)), -- what an enumeration found
  PRIMARY KEY (job_id, uid, path)
) STRICT, WITHOUT ROWID;
INSERT INTO kept_runs SELECT job_id, uid, path, state, rounds, assets, failure, batches FROM element_runs;
DROP TABLE element_runs;
ALTER TABLE kept_runs RENAME TO element_runs;

CREATE TABLE kept_files (
  watch TEXT NOT NULL, -- key:NAME, or job:ID:UID
  uri TEXT NOT NULL, -- of the file; '' stands for the folder, once it was looked at
  mark TEXT NOT NULL, -- the state in which the file was taken
  owner INTEGER, -- the job that remembers it; NULL: a key does
  job_id INTEGER, -- the job that it began
  at INTEGER NOT NULL,
  problem TEXT, -- why it begins no job
  PRIMARY KEY (watch, uri)
) STRICT, WITHOUT ROWID;
INSERT INTO kept_files SELECT watch, uri, mark, owner, job_id, at, problem FROM watched_files;
DROP TABLE watched_files;
ALTER TABLE kept_files RENAME TO watched_files;
CREATE INDEX watched_files_owner ON watched_files (owner) WHERE owner IS NOT NULL;
