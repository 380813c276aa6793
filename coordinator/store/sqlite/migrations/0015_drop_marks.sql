-- Pages of lists are found by OFFSET along an index that also holds the status: a filter by status reads no rows.
DROP INDEX jobs_name;
DROP INDEX jobs_user_tag;
DROP INDEX jobs_priority;
DROP INDEX jobs_substatus;
DROP INDEX jobs_progress;
DROP INDEX jobs_creation_time;
DROP INDEX jobs_start_time;
DROP INDEX jobs_end_time;
DROP INDEX jobs_expiration_time;
CREATE INDEX jobs_name ON jobs (name, id, status);
CREATE INDEX jobs_user_tag ON jobs (user_tag, id, status);
CREATE INDEX jobs_priority ON jobs (priority, id, status);
CREATE INDEX jobs_substatus ON jobs (substatus, id, status);
CREATE INDEX jobs_progress ON jobs (progress, id, status);
CREATE INDEX jobs_creation_time ON jobs (creation_time, id, status);
CREATE INDEX jobs_start_time ON jobs (start_time, id, status);
CREATE INDEX jobs_end_time ON jobs (end_time, id, status);
CREATE INDEX jobs_expiration_time ON jobs (expiration_time, id, status);

DROP TRIGGER jobs_inserted;
DROP TRIGGER jobs_deleted;
DROP TRIGGER jobs_updated;
DROP TABLE job_changes;
CREATE TRIGGER jobs_inserted AFTER INSERT ON jobs BEGIN
  INSERT INTO job_counts VALUES (NEW.status, coalesce(NEW.substatus, ''), 1)
    ON CONFLICT (status, substatus) DO UPDATE SET n = n + 1;
END;
CREATE TRIGGER jobs_deleted AFTER DELETE ON jobs BEGIN
  UPDATE job_counts SET n = n - 1 WHERE status = OLD.status AND substatus = coalesce(OLD.substatus, '');
END;
