ALTER TABLE jobs ADD COLUMN owner TEXT; -- the name of who sent it; NULL: not known, it was sent before this was noted
ALTER TABLE jobs ADD COLUMN origin TEXT CHECK (origin IN ('pages', 'api', 'watchfolder')); -- how it came
ALTER TABLE jobs ADD COLUMN parent_id INTEGER; -- the job whose watched folder began it
CREATE INDEX jobs_owner ON jobs (owner, id, status, substatus);
CREATE INDEX jobs_failed ON jobs (end_time, id) WHERE status = 'failed' AND substatus IS NULL;
