-- Times are milliseconds since 1970, UTC. JSON columns hold what the schemas of shared/ describe.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE account (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  oapi_key TEXT NOT NULL,
  oapi_secret TEXT NOT NULL, -- encrypted: its owner may look it up
  created INTEGER NOT NULL
) STRICT;

CREATE TABLE api_users (
  id INTEGER PRIMARY KEY,
  auth_key TEXT NOT NULL UNIQUE,
  secret_hash TEXT NOT NULL, -- SHA-256 of 256 random bits
  created INTEGER NOT NULL,
  revoked INTEGER
) STRICT;

CREATE TABLE tokens (
  hash TEXT PRIMARY KEY, -- SHA-256 of the token
  user_id INTEGER NOT NULL REFERENCES api_users ON DELETE CASCADE,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_expires ON tokens (expires);

CREATE TABLE nodes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'drain', 'paused')),
  hello TEXT NOT NULL CHECK (json_valid(hello)), -- what it said of itself last, without credentials
  tags TEXT CHECK (tags IS NULL OR json_valid(tags)), -- an operator's tags; NULL = the agent's own
  slots INTEGER, -- an operator's number; NULL = the agent's own
  enrolled INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  revoked INTEGER
) STRICT;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  user_tag TEXT,
  priority INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'active', 'completed', 'failed')),
  substatus TEXT,
  progress INTEGER NOT NULL DEFAULT 0,
  creation_time INTEGER NOT NULL,
  start_time INTEGER,
  end_time INTEGER,
  expiration INTEGER NOT NULL, -- minutes after the end
  expiration_time INTEGER,
  error TEXT,
  definition TEXT NOT NULL CHECK (json_valid(definition)), -- as received
  connections TEXT NOT NULL CHECK (json_valid(connections)),
  warnings TEXT NOT NULL CHECK (json_valid(warnings)),
  stopped INTEGER -- when somebody stopped it
) STRICT;
CREATE INDEX jobs_status ON jobs (status, id);
CREATE INDEX jobs_expiration_time ON jobs (expiration_time) WHERE expiration_time IS NOT NULL;

CREATE TABLE element_runs (
  job_id INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  uid TEXT NOT NULL,
  position INTEGER NOT NULL, -- place in the definition
  kind TEXT NOT NULL,
  spec TEXT NOT NULL CHECK (json_valid(spec)), -- name, payload with definitions filled in, tags, priority, retry
  state TEXT NOT NULL CHECK (state IN ('waiting', 'planning', 'running', 'succeeded', 'failed', 'skipped')),
  rounds INTEGER NOT NULL DEFAULT 0, -- how often facts were asked for
  assets TEXT CHECK (assets IS NULL OR json_valid(assets)), -- what it passes on, once it succeeded
  failure TEXT CHECK (failure IS NULL OR json_valid(failure)),
  PRIMARY KEY (job_id, uid)
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  element_uid TEXT NOT NULL,
  uid TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  purpose TEXT NOT NULL CHECK (purpose IN ('facts', 'work')), -- gathers facts for its element, or does its work
  state TEXT NOT NULL CHECK (state IN ('ready', 'delayed', 'running', 'committing', 'completed', 'failed')),
  priority INTEGER, -- NULL = the job's
  tags TEXT NOT NULL CHECK (json_valid(tags)),
  requires TEXT NOT NULL CHECK (json_valid(requires)),
  weight TEXT NOT NULL CHECK (weight IN ('full', 'light')),
  work TEXT NOT NULL CHECK (json_valid(work)),
  retry_count INTEGER NOT NULL, -- retries allowed; -1 = without end
  retry_delay_sec INTEGER NOT NULL,
  retry_nr INTEGER NOT NULL DEFAULT 0,
  losses INTEGER NOT NULL DEFAULT 0,
  attempt INTEGER, -- the current one's counter
  intent TEXT CHECK (intent IS NULL OR json_valid(intent)), -- of the last attempt that was granted
  failure TEXT CHECK (failure IS NULL OR json_valid(failure)),
  published TEXT CHECK (published IS NULL OR json_valid(published)),
  creation_time INTEGER NOT NULL,
  ready_time INTEGER NOT NULL, -- when it became, or will become, ready
  start_time INTEGER,
  end_time INTEGER
) STRICT;
CREATE INDEX tasks_job ON tasks (job_id, id);
CREATE INDEX tasks_open ON tasks (state) WHERE state IN ('ready', 'delayed', 'running', 'committing');

CREATE TABLE attempts (
  counter INTEGER PRIMARY KEY AUTOINCREMENT,
  epoch INTEGER NOT NULL,
  task_id INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
  node_id INTEGER NOT NULL REFERENCES nodes,
  state TEXT NOT NULL CHECK (state IN ('assigned', 'running', 'committing', 'published', 'failed', 'lost', 'cancelled')),
  assigned INTEGER NOT NULL,
  ended INTEGER,
  failure TEXT CHECK (failure IS NULL OR json_valid(failure)),
  stats TEXT CHECK (stats IS NULL OR json_valid(stats)),
  log TEXT
) STRICT;
CREATE INDEX attempts_task ON attempts (task_id, counter);
CREATE INDEX attempts_node_open ON attempts (node_id) WHERE state IN ('assigned', 'running', 'committing');

CREATE TABLE facts (
  uri TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  modified REAL NOT NULL,
  tool TEXT NOT NULL, -- build of the program that found them
  facts TEXT NOT NULL CHECK (json_valid(facts)),
  found INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
