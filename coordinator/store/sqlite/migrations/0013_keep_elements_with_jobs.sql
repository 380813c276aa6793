-- What a job's elements are never changes: it is written once, with the job. How far each has come is written when it begins.
-- Of rows that hold passwords in the clear still, nothing may be left in free pages.
PRAGMA secure_delete = ON;
ALTER TABLE job_definitions ADD COLUMN elements TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(elements));
UPDATE job_definitions SET elements =
  (SELECT json_group_array(json(spec) ORDER BY position) FROM element_runs WHERE job_id = job_definitions.job_id);

CREATE TABLE begun (
  job_id INTEGER NOT NULL REFERENCES jobs ON DELETE CASCADE,
  uid TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('planning', 'running', 'succeeded', 'failed', 'skipped')), -- one without a row waits
  rounds INTEGER NOT NULL DEFAULT 0, -- how often facts were asked for
  assets TEXT CHECK (assets IS NULL OR json_valid(assets)), -- what it passes on, once it succeeded
  failure TEXT CHECK (failure IS NULL OR json_valid(failure)),
  PRIMARY KEY (job_id, uid)
) STRICT, WITHOUT ROWID;
INSERT INTO begun SELECT job_id, uid, state, rounds, assets, failure FROM element_runs WHERE state <> 'waiting';
DROP TABLE element_runs;
ALTER TABLE begun RENAME TO element_runs;
PRAGMA secure_delete = OFF;

-- Specifications that were looked through up to the middle of a job are looked through again from its beginning.
UPDATE unsealed SET after = json_array((after ->> '$[0]') - 1) WHERE what = 'specs';
