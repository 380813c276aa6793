CREATE TABLE watched_files (
  watch TEXT NOT NULL, -- key:NAME, or job:ID:UID
  uri TEXT NOT NULL, -- of the file; '' stands for the folder, once it was looked at
  mark TEXT NOT NULL, -- the state in which the file was taken
  owner INTEGER REFERENCES jobs ON DELETE CASCADE, -- remembers it; NULL: a key does
  job_id INTEGER, -- the job that it began
  at INTEGER NOT NULL,
  problem TEXT, -- why it begins no job
  PRIMARY KEY (watch, uri)
) STRICT, WITHOUT ROWID;

CREATE INDEX watched_files_owner ON watched_files (owner) WHERE owner IS NOT NULL;
