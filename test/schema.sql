-- Version 49. Made by `npm run db:dump`; a migration shows here as a diff.

CREATE TABLE lead (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch INTEGER NOT NULL, -- rises with every start
  batch INTEGER NOT NULL
) STRICT;

CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  n INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL, owner TEXT,
  PRIMARY KEY (kind, key)
) STRICT;

CREATE TABLE record_versions (
  kind TEXT PRIMARY KEY,
  version INTEGER NOT NULL -- rises with every change
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  oapi_key TEXT NOT NULL,
  oapi_secret TEXT NOT NULL, -- encrypted: its owner may look it up
  created INTEGER NOT NULL,
  renewed INTEGER
) STRICT;

CREATE TABLE api_users (
  id INTEGER PRIMARY KEY, -- revoked users keep their rows, so ids do not return
  auth_key TEXT NOT NULL UNIQUE,
  secret_hash TEXT NOT NULL, -- of 256 random bits
  name TEXT NOT NULL,
  created INTEGER NOT NULL,
  last_login INTEGER,
  revoked INTEGER
, scopes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(scopes)), reach TEXT NOT NULL DEFAULT 'all' CHECK (reach IN ('own', 'group', 'all')), group_name TEXT, expires INTEGER, last_used INTEGER) STRICT;

CREATE TABLE tokens (
  hash TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES api_users ON DELETE CASCADE,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_expires ON tokens (expires);

CREATE INDEX tokens_user ON tokens (user_id, expires);

CREATE TABLE people (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE, -- the name in lower case: two people never differ by case alone
  role TEXT NOT NULL CHECK (role IN ('owner', 'operator', 'viewer')),
  password_hash TEXT NOT NULL, -- scrypt, with its parameters and salt
  created INTEGER NOT NULL
, issuer TEXT, subject TEXT CHECK ((subject IS NULL) = (issuer IS NULL)), second_steps TEXT NOT NULL DEFAULT '', only_tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(only_tags)), only_groups TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(only_groups))) STRICT;

CREATE TABLE sessions (
  hash TEXT PRIMARY KEY, -- of the cookie's 256 random bits
  person_id INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL
, origin TEXT NOT NULL DEFAULT '', browser TEXT NOT NULL DEFAULT '', issuer TEXT, provider_session TEXT, most_role TEXT CHECK (most_role IN ('owner', 'operator', 'viewer'))) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_person ON sessions (person_id);

CREATE INDEX sessions_expires ON sessions (expires);

CREATE TABLE compute_groups (
  name TEXT PRIMARY KEY,
  provided_tags TEXT NOT NULL CHECK (json_valid(provided_tags)), -- its nodes provide them beside their own
  mandatory_tags TEXT NOT NULL CHECK (json_valid(mandatory_tags)) -- its nodes take only tasks that carry all of these
) STRICT;

CREATE TABLE tag_limits (
  tag TEXT PRIMARY KEY,
  most INTEGER NOT NULL CHECK (most >= 0) -- tasks with this tag that run at a time
) STRICT;

CREATE TABLE nodes (
  id INTEGER PRIMARY KEY,
  key_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('active', 'drain', 'paused')),
  hello TEXT NOT NULL CHECK (json_valid(hello)), -- what it said of itself last, without credentials
  tags TEXT CHECK (tags IS NULL OR json_valid(tags)), -- an operator's tags; NULL: the agent's own
  slots INTEGER, -- an operator's number; NULL: the agent's own
  enrolled INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  revoked INTEGER,
  health TEXT NOT NULL CHECK (health IN ('sound', 'quarantined', 'probation')),
  health_since INTEGER, -- failures before are not counted
  health_until INTEGER, -- the end of its quarantine
  health_why TEXT,
  strikes INTEGER NOT NULL, -- quarantines in quick succession
  compute_group TEXT REFERENCES compute_groups ON UPDATE CASCADE ON DELETE SET NULL
, joined_by TEXT, pending INTEGER NOT NULL DEFAULT 0 CHECK (pending IN (0, 1)), left_at INTEGER, lost_at INTEGER) STRICT;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  user_tag TEXT,
  priority INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('queued', 'active', 'completed', 'failed')),
  substatus TEXT,
  progress INTEGER NOT NULL, -- percent
  creation_time INTEGER NOT NULL,
  start_time INTEGER,
  end_time INTEGER,
  expiration INTEGER NOT NULL, -- minutes after the end
  expiration_time INTEGER, -- when it will be deleted
  error TEXT,
  stopped INTEGER, -- when somebody stopped it
  begun INTEGER NOT NULL, -- 1: its first elements were started
  owner TEXT, -- the name of a person or an API user
  origin TEXT CHECK (origin IN ('pages', 'api', 'watchfolder')),
  parent_id INTEGER -- the job whose watched folder began it
, owner_id TEXT, owner_group TEXT, traceparent TEXT) STRICT;

CREATE INDEX jobs_status ON jobs (status, id);

CREATE INDEX jobs_name ON jobs (name, id, status);

CREATE INDEX jobs_user_tag ON jobs (user_tag, id, status);

CREATE INDEX jobs_priority ON jobs (priority, id, status);

CREATE INDEX jobs_substatus ON jobs (substatus, id, status);

CREATE INDEX jobs_progress ON jobs (progress, id, status);

CREATE INDEX jobs_creation_time ON jobs (creation_time, id, status);

CREATE INDEX jobs_start_time ON jobs (start_time, id, status);

CREATE INDEX jobs_end_time ON jobs (end_time, id, status);

CREATE INDEX jobs_expiration_time ON jobs (expiration_time, id, status);

CREATE INDEX jobs_owner ON jobs (owner, id, status, substatus);

CREATE INDEX jobs_failed ON jobs (end_time, id) WHERE status = 'failed' AND substatus IS NULL;

CREATE INDEX jobs_to_begin ON jobs (priority DESC, id) WHERE begun = 0;

CREATE TABLE job_counts (
  status TEXT NOT NULL,
  substatus TEXT NOT NULL, -- '' where a job has none
  n INTEGER NOT NULL,
  PRIMARY KEY (status, substatus)
) STRICT, WITHOUT ROWID;

CREATE TABLE job_definitions (
  job_id INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
  definition TEXT NOT NULL CHECK (json_valid(definition)), -- as received
  elements TEXT NOT NULL CHECK (json_valid(elements)),
  connections TEXT NOT NULL CHECK (json_valid(connections)),
  warnings TEXT NOT NULL CHECK (json_valid(warnings))
) STRICT;

CREATE TABLE job_schedules (
  job_id INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
  paused INTEGER, -- when somebody paused it
  start_after INTEGER, -- no task starts before; NULL once it has passed
  task_tags TEXT NOT NULL CHECK (json_valid(task_tags)) -- for all of its tasks, beside those of their elements
) STRICT;

CREATE INDEX job_schedules_held ON job_schedules (job_id) WHERE paused IS NOT NULL OR start_after IS NOT NULL;

CREATE TABLE deleted_jobs (
  id INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE element_runs (
  job_id INTEGER NOT NULL,
  uid TEXT NOT NULL,
  path TEXT NOT NULL, -- the batches that it belongs to; '': none
  state TEXT NOT NULL CHECK (state IN ('planning', 'running', 'succeeded', 'failed', 'skipped')),
  rounds INTEGER NOT NULL, -- how often facts were asked for
  assets TEXT CHECK (assets IS NULL OR json_valid(assets)), -- what it passes on, once it succeeded
  failure TEXT CHECK (failure IS NULL OR json_valid(failure)),
  batches TEXT CHECK (batches IS NULL OR json_valid(batches)), -- what an enumeration found
  PRIMARY KEY (job_id, uid, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE tasks (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL,
  element_uid TEXT NOT NULL,
  path TEXT NOT NULL, -- the batches that it belongs to; '': none
  uid TEXT NOT NULL, -- among the tasks of its element
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- gathers facts for its element, does a part of its work at a stage, or does its work
  purpose TEXT NOT NULL CHECK (purpose IN ('facts', 'stage', 'work')),
  state TEXT NOT NULL CHECK (state IN ('ready', 'delayed', 'running', 'committing', 'completed', 'failed')),
  priority INTEGER, -- NULL: the job's
  tags TEXT NOT NULL CHECK (json_valid(tags)),
  requires TEXT NOT NULL CHECK (json_valid(requires)), -- capabilities of its node
  weight TEXT NOT NULL CHECK (weight IN ('full', 'light')), -- light: beside the slots
  demand TEXT NOT NULL CHECK (json_valid(demand)), -- how much of its node it takes
  work TEXT NOT NULL CHECK (json_valid(work)),
  retry_count INTEGER NOT NULL, -- retries allowed; -1: without end
  retry_delay_sec INTEGER NOT NULL,
  retry_nr INTEGER NOT NULL,
  losses INTEGER NOT NULL, -- attempts lost with their nodes
  attempt INTEGER, -- the current one's counter
  awaits TEXT CHECK (awaits IS NULL OR json_valid(awaits)), -- what has to be there before it may start
  intent TEXT CHECK (intent IS NULL OR json_valid(intent)), -- of the last attempt that was granted
  failure TEXT CHECK (failure IS NULL OR json_valid(failure)),
  published TEXT CHECK (published IS NULL OR json_valid(published)),
  creation_time INTEGER NOT NULL,
  ready_time INTEGER NOT NULL, -- when it became, or will become, ready
  start_time INTEGER,
  end_time INTEGER
, cause TEXT) STRICT;

CREATE INDEX tasks_job ON tasks (job_id, id);

CREATE INDEX tasks_in_batches ON tasks (job_id, path) WHERE path <> '';

CREATE TABLE attempts (
  counter INTEGER PRIMARY KEY,
  epoch INTEGER NOT NULL, -- of the coordinator that assigned it
  task_id INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
  node_id INTEGER NOT NULL REFERENCES nodes,
  state TEXT NOT NULL CHECK (state IN ('assigned', 'running', 'committing', 'published', 'failed', 'lost', 'cancelled')),
  assigned INTEGER NOT NULL,
  ended INTEGER,
  failure TEXT CHECK (failure IS NULL OR json_valid(failure)),
  stats TEXT CHECK (stats IS NULL OR json_valid(stats)), -- what it cost
  log TEXT
) STRICT;

CREATE INDEX attempts_task ON attempts (task_id, counter);

CREATE INDEX attempts_node_open ON attempts (node_id) WHERE state IN ('assigned', 'running', 'committing');

CREATE TABLE listings (
  task_id INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
  page INTEGER NOT NULL,
  files TEXT NOT NULL CHECK (json_valid(files)),
  PRIMARY KEY (task_id, page)
) STRICT, WITHOUT ROWID;

CREATE TABLE section_files (
  uri TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE facts (
  uri TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  modified REAL NOT NULL,
  tool TEXT NOT NULL, -- build of the program that found them
  facts TEXT NOT NULL CHECK (json_valid(facts)),
  found INTEGER NOT NULL
, owner_id TEXT, owner_group TEXT, found_by INTEGER) STRICT, WITHOUT ROWID;

CREATE INDEX facts_found ON facts (found);

CREATE TABLE submissions (
  who TEXT NOT NULL, -- each caller has names of their own
  key TEXT NOT NULL,
  mark TEXT NOT NULL, -- keyed hash of the body
  job_id INTEGER NOT NULL, -- it may have been deleted meanwhile
  created INTEGER NOT NULL,
  PRIMARY KEY (who, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX submissions_created ON submissions (created);

CREATE TABLE watched_files (
  watch TEXT NOT NULL, -- key:NAME, or job:ID:UID
  uri TEXT NOT NULL, -- of the file; '' stands for the folder, once it was looked at
  mark TEXT NOT NULL, -- the state in which the file was taken
  owner INTEGER, -- the job that remembers it; NULL: a key does
  job_id INTEGER, -- the job that it began
  at INTEGER NOT NULL,
  problem TEXT, -- why it begins no job
  gone INTEGER, -- when it left its folder
  PRIMARY KEY (watch, uri)
) STRICT, WITHOUT ROWID;

CREATE INDEX watched_files_owner ON watched_files (owner) WHERE owner IS NOT NULL;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  action TEXT NOT NULL,
  job_id INTEGER REFERENCES jobs ON DELETE CASCADE,
  node_id INTEGER REFERENCES nodes ON DELETE CASCADE,
  note TEXT -- the reason that was given
) STRICT;

CREATE INDEX audit_job ON audit (job_id, id) WHERE job_id IS NOT NULL;

CREATE INDEX audit_node ON audit (node_id, id) WHERE node_id IS NOT NULL;

CREATE INDEX jobs_owner_id ON jobs (owner_id, id, status, substatus) WHERE owner_id IS NOT NULL;

CREATE INDEX jobs_owner_group ON jobs (owner_group, id, status, substatus) WHERE owner_group IS NOT NULL;

CREATE INDEX records_owner ON records (kind, owner) WHERE owner IS NOT NULL;

CREATE TABLE alert_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  value TEXT NOT NULL CHECK (json_valid(value)) -- what is open and what waits to be told
) STRICT;

CREATE TABLE alert_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- receivers know repeats by it, so that ids do not return
  channel TEXT NOT NULL, -- a name; the channel may be gone
  made INTEGER NOT NULL,
  content TEXT NOT NULL CHECK (json_valid(content)),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'told', 'given_up')),
  tries INTEGER NOT NULL,
  next_try INTEGER, -- NULL once it ended
  ended INTEGER,
  answer TEXT -- the receiver's, or why the last try failed
) STRICT;

CREATE INDEX alert_messages_due ON alert_messages (next_try, id) WHERE next_try IS NOT NULL;

CREATE TABLE trail (
  id INTEGER PRIMARY KEY, -- from 1 without gaps
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  origin TEXT NOT NULL, -- from where
  action TEXT NOT NULL,
  outcome TEXT NOT NULL, -- done, or the code of the refusal
  about TEXT NOT NULL,
  hash TEXT NOT NULL -- SHA-256, hexadecimal
) STRICT;

CREATE TABLE trail_ends (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  first INTEGER NOT NULL,
  before TEXT NOT NULL, -- the hash of the line before the first
  last INTEGER NOT NULL,
  hash TEXT NOT NULL,
  seal TEXT NOT NULL
) STRICT;

CREATE TABLE webhook_deliveries (
  epoch INTEGER NOT NULL,
  nr INTEGER NOT NULL, -- within its epoch; receivers know repeats by both, so that they do not return
  webhook TEXT NOT NULL, -- its name
  type TEXT NOT NULL,
  about TEXT NOT NULL, -- such as `job 12`
  made INTEGER NOT NULL, -- in the farm's time, as all times here
  body TEXT NOT NULL, -- as it is signed and sent
  state TEXT NOT NULL CHECK (state IN ('waiting', 'delivered', 'given_up')),
  since INTEGER NOT NULL, -- when tries began: when it was made, or somebody had it sent again
  tries INTEGER NOT NULL, -- since then
  next_try INTEGER, -- NULL once it ended
  ended INTEGER,
  http_status INTEGER, -- of the last response
  answer TEXT, -- the receiver's, or why the last try failed
  PRIMARY KEY (epoch, nr)
) STRICT;

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, next_try, epoch, nr) WHERE next_try IS NOT NULL;

CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook, epoch, nr);

CREATE INDEX webhook_deliveries_counted ON webhook_deliveries (webhook, state, epoch, nr);

CREATE INDEX webhook_deliveries_old ON webhook_deliveries (webhook, made);

CREATE UNIQUE INDEX people_subject ON people (issuer, subject) WHERE issuer IS NOT NULL;

CREATE TABLE links (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL, -- the provider's own name for them
  person_id INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
  name TEXT NOT NULL, -- as the provider called them last
  created INTEGER NOT NULL,
  used INTEGER, -- NULL: never
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX links_person ON links (person_id, issuer);
