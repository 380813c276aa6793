-- Submissions that clients gave a name (Idempotency-Key), kept for a day.
CREATE TABLE submissions (
  who TEXT NOT NULL, -- each caller has names of their own
  key TEXT NOT NULL,
  mark TEXT NOT NULL, -- keyed hash of the body
  job_id INTEGER NOT NULL, -- it may have been deleted meanwhile
  created INTEGER NOT NULL,
  PRIMARY KEY (who, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX submissions_created ON submissions (created);
