-- A farm of version 29, the last one before migrations were joined: its schema, and a row or more of every table.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE account (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  oapi_key TEXT NOT NULL,
  oapi_secret TEXT NOT NULL, -- encrypted: its owner may look it up
  created INTEGER NOT NULL
, renewed INTEGER) STRICT;

CREATE TABLE api_users (
  id INTEGER PRIMARY KEY,
  auth_key TEXT NOT NULL UNIQUE,
  secret_hash TEXT NOT NULL, -- SHA-256 of 256 random bits
  created INTEGER NOT NULL,
  revoked INTEGER
, name TEXT NOT NULL DEFAULT '', last_login INTEGER, may_mount INTEGER NOT NULL DEFAULT 0 CHECK (may_mount IN (0, 1))) STRICT;

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
, health TEXT NOT NULL DEFAULT 'sound' CHECK (health IN ('sound', 'quarantined', 'probation')), health_since INTEGER, health_until INTEGER, health_why TEXT, strikes INTEGER NOT NULL DEFAULT 0, compute_group TEXT REFERENCES compute_groups ON UPDATE CASCADE ON DELETE SET NULL) STRICT;


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
  stopped INTEGER -- when somebody stopped it
, begun INTEGER NOT NULL DEFAULT 0, owner TEXT, origin TEXT CHECK (origin IN ('pages', 'api', 'watchfolder')), parent_id INTEGER) STRICT;

CREATE INDEX jobs_status ON jobs (status, id);

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

CREATE TABLE people (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL UNIQUE, -- the name in lower case: two people never differ by case alone
  role TEXT NOT NULL CHECK (role IN ('owner', 'operator', 'viewer')),
  password_hash TEXT NOT NULL, -- scrypt, with its parameters and salt
  created INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  hash TEXT PRIMARY KEY, -- SHA-256 of the cookie's 256 random bits
  person_id INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_person ON sessions (person_id);

CREATE INDEX sessions_expires ON sessions (expires);

CREATE TABLE mounts (
  prefix TEXT PRIMARY KEY, -- of URIs, without a slash at its end
  posix TEXT, -- the folder on nodes with POSIX paths
  win32 TEXT, -- the folder on Windows nodes
  CHECK (posix IS NOT NULL OR win32 IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE TABLE submissions (
  who TEXT NOT NULL, -- each caller has names of their own
  key TEXT NOT NULL,
  mark TEXT NOT NULL, -- keyed hash of the body
  job_id INTEGER NOT NULL, -- it may have been deleted meanwhile
  created INTEGER NOT NULL,
  PRIMARY KEY (who, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX submissions_created ON submissions (created);

CREATE TABLE presets (
  key TEXT PRIMARY KEY,
  preset TEXT NOT NULL CHECK (json_valid(preset)), -- as received
  changed INTEGER NOT NULL
) STRICT;

CREATE TABLE job_definitions (
  job_id INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
  definition TEXT NOT NULL CHECK (json_valid(definition)), -- as received
  connections TEXT NOT NULL CHECK (json_valid(connections)),
  warnings TEXT NOT NULL CHECK (json_valid(warnings))
, elements TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(elements))) STRICT;

CREATE TABLE job_counts (
  status TEXT NOT NULL,
  substatus TEXT NOT NULL, -- '' where a job has none
  n INTEGER NOT NULL,
  PRIMARY KEY (status, substatus)
) STRICT, WITHOUT ROWID;

CREATE INDEX tokens_user ON tokens (user_id, expires);

CREATE TABLE job_schedules (
  job_id INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
  paused INTEGER, -- when somebody paused it
  start_after INTEGER, -- no task starts before; NULL once it has passed
  task_tags TEXT NOT NULL CHECK (json_valid(task_tags)) -- for all of its tasks, beside those of their elements
) STRICT;

CREATE INDEX job_schedules_held ON job_schedules (job_id) WHERE paused IS NOT NULL OR start_after IS NOT NULL;

CREATE TABLE compute_groups (
  name TEXT PRIMARY KEY,
  provided_tags TEXT NOT NULL CHECK (json_valid(provided_tags)), -- its nodes provide them beside their own
  mandatory_tags TEXT NOT NULL CHECK (json_valid(mandatory_tags)) -- its nodes take only tasks that carry all of these
) STRICT;

CREATE TABLE tag_limits (
  tag TEXT PRIMARY KEY,
  most INTEGER NOT NULL CHECK (most >= 0)
) STRICT;

CREATE TABLE unsealed (
  what TEXT PRIMARY KEY CHECK (what IN ('definitions', 'specs', 'presets')),
  after TEXT NOT NULL CHECK (json_valid(after)) -- the values of the key
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_name ON jobs (name, id, status);

CREATE INDEX jobs_user_tag ON jobs (user_tag, id, status);

CREATE INDEX jobs_priority ON jobs (priority, id, status);

CREATE INDEX jobs_substatus ON jobs (substatus, id, status);

CREATE INDEX jobs_progress ON jobs (progress, id, status);

CREATE INDEX jobs_creation_time ON jobs (creation_time, id, status);

CREATE INDEX jobs_start_time ON jobs (start_time, id, status);

CREATE INDEX jobs_end_time ON jobs (end_time, id, status);

CREATE INDEX jobs_expiration_time ON jobs (expiration_time, id, status);

CREATE TABLE saved_views (
  page TEXT NOT NULL,
  name TEXT NOT NULL,
  search TEXT NOT NULL CHECK (json_valid(search)), -- what stands in the page's address
  PRIMARY KEY (page, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE "audit" (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  action TEXT NOT NULL,
  job_id INTEGER REFERENCES jobs ON DELETE CASCADE,
  node_id INTEGER REFERENCES nodes ON DELETE CASCADE,
  note TEXT -- the reason that was given
) STRICT;

CREATE TABLE credentials (
  name TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  prefix TEXT, -- used for addresses below it where a job names none
  sealed TEXT NOT NULL, -- encrypted with the key in secret.key
  changed INTEGER NOT NULL
, bound TEXT CHECK (bound IS NULL OR json_valid(bound))) STRICT;

CREATE TABLE lead (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  epoch INTEGER NOT NULL,
  batch INTEGER NOT NULL
) STRICT;

CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  n INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_to_begin ON jobs (priority DESC, id) WHERE begun = 0;

CREATE TABLE listings (
  task_id INTEGER NOT NULL REFERENCES tasks ON DELETE CASCADE,
  page INTEGER NOT NULL,
  files TEXT NOT NULL CHECK (json_valid(files)),
  PRIMARY KEY (task_id, page)
) STRICT, WITHOUT ROWID;

CREATE TABLE deleted_jobs (
  id INTEGER PRIMARY KEY
) STRICT;

CREATE TABLE "tasks" (
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

CREATE INDEX tasks_job ON tasks (job_id, id);

CREATE INDEX tasks_in_batches ON tasks (job_id, path) WHERE path <> '';

CREATE TABLE "element_runs" (
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

CREATE TABLE "watched_files" (
  watch TEXT NOT NULL, -- key:NAME, or job:ID:UID
  uri TEXT NOT NULL, -- of the file; '' stands for the folder, once it was looked at
  mark TEXT NOT NULL, -- the state in which the file was taken
  owner INTEGER, -- the job that remembers it; NULL: a key does
  job_id INTEGER, -- the job that it began
  at INTEGER NOT NULL,
  problem TEXT, gone INTEGER, -- why it begins no job
  PRIMARY KEY (watch, uri)
) STRICT, WITHOUT ROWID;

CREATE INDEX watched_files_owner ON watched_files (owner) WHERE owner IS NOT NULL;

CREATE INDEX jobs_owner ON jobs (owner, id, status, substatus);

CREATE INDEX jobs_failed ON jobs (end_time, id) WHERE status = 'failed' AND substatus IS NULL;

CREATE INDEX audit_job ON audit (job_id, id) WHERE job_id IS NOT NULL;

CREATE INDEX audit_node ON audit (node_id, id) WHERE node_id IS NOT NULL;

CREATE TABLE section_files (
  uri TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO meta VALUES ('farm_id', 'f1'), ('outbound_rules', '["example.com"]');
INSERT INTO account VALUES (1, 'oapi_1', 'sealed', 1, 2);
INSERT INTO api_users VALUES (1, 'api_1', 'hash 1', 3, NULL, '', NULL, 0), (2, 'api_2', 'hash 2', 3, 4, 'Ben', 5, 1);
INSERT INTO tokens VALUES ('token', 1, 900);
INSERT INTO compute_groups VALUES ('edit', '["e"]', '["m"]');
INSERT INTO tag_limits VALUES ('gpu', 2);
INSERT INTO nodes VALUES (7, 'key', 'active', '{"name":"node seven"}', '["t"]', 3, 10, 20, NULL, 'sound', NULL, NULL, NULL, 0, 'edit');
INSERT INTO jobs VALUES
  (1, 'done', 'tag', 9, 'completed', NULL, 100, 1000, 1100, 1200, 60, 3601200, NULL, NULL, 1, 'Ben', 'api', NULL),
  (2, 'open', NULL, 5, 'active', 'running', 20, 2000, 2100, NULL, 60, NULL, NULL, NULL, 1, NULL, NULL, 1);
UPDATE sqlite_sequence SET seq = 4 WHERE name = 'jobs';
INSERT INTO job_counts VALUES ('completed', '', 1), ('active', 'running', 1);
INSERT INTO job_definitions VALUES
  (1, '{"name":"done"}', '[]', '["a warning"]', '[]'),
  (2, '{"name":"open"}', '[{"from":["list"],"success":[],"error":[]}]', '[]',
    '[{"uid":"list","kind":"folder_enum","name":"list","payload":{},"tags":[],"retry":{"count":0,"delaySec":0}}]');
INSERT INTO job_schedules VALUES (2, 50, NULL, '["x"]');
INSERT INTO element_runs VALUES (2, 'list', '', 'succeeded', 1, '[]', NULL, '{"task":11,"files":5,"size":2}');
INSERT INTO tasks VALUES (11, 2, 'list', '', 'list', 'a task', 'folder_enum', 'facts', 'completed', NULL, '[]', '["do:list"]',
  'light', '{}', '{"assets":{},"outputs":{},"steps":[]}', 0, 0, 0, 0, 21, NULL, NULL, NULL,
  '{"outputs":{}}', 2000, 2000, 2010, 2020);
INSERT INTO tasks VALUES (10, 2, 'cut', '', 'section', 'a section', 'transcode', 'facts', 'completed', NULL, '[]', '[]',
  'full', '{}', '{"assets":{},"outputs":{},"steps":[]}', 0, 0, 0, 0, NULL, NULL, NULL, NULL,
  '{"outputs":{}}', 2000, 2000, 2010, 2020);
INSERT INTO listings VALUES (11, 0, '[{"uri":"file:///in/a.mov","size":1,"modified":1}]');
INSERT INTO attempts VALUES (21, 3, 11, 7, 'published', 2010, 2020, NULL, '{"wallMs":5}', 'a log');
INSERT INTO facts VALUES ('file:///in/a.mov', 1, 1.5, 'ffprobe', '{}', 2000);
INSERT INTO people VALUES (4, 'Ada', 'ada', 'owner', 'scrypt', 1);
UPDATE sqlite_sequence SET seq = 6 WHERE name = 'people';
INSERT INTO sessions VALUES ('session', 4, 1, 900);
INSERT INTO mounts VALUES ('file:///nas', '/mnt/nas', NULL);
INSERT INTO submissions VALUES ('api user 1', 'k', 'mark', 1, 2000);
INSERT INTO presets VALUES ('hd', '{"key":"hd"}', 7);
INSERT INTO saved_views VALUES ('jobs', 'tonight', '{"state":"failed"}');
INSERT INTO audit VALUES (31, 5, 'Ada', 'stop', 1, NULL, 'why'), (32, 6, 'Ada', 'drain', NULL, 7, NULL);
INSERT INTO credentials VALUES ('nas', 'login', 'sftp://nas', 'sealed', 8, '{"nodes":[7],"groups":[]}'),
  ('free', 'login', NULL, 'sealed', 9, NULL);
INSERT INTO lead VALUES (1, 12, 34);
INSERT INTO counters VALUES ('jobs', 4), ('tasks', 11), ('attempts', 21), ('nodes', 7);
INSERT INTO deleted_jobs VALUES (3);
INSERT INTO watched_files VALUES ('key:in', 'file:///in/a.mov', 'm', 1, 2, 2000, NULL, 2500);
INSERT INTO section_files VALUES ('file:///out/s.mov', 4, 2);
PRAGMA user_version = 29;
