-- When a job may run and where; a job without a row has no wishes.
CREATE TABLE job_schedules (
  job_id INTEGER PRIMARY KEY REFERENCES jobs ON DELETE CASCADE,
  paused INTEGER, -- when somebody paused it
  start_after INTEGER, -- no task starts before; NULL once it has passed
  task_tags TEXT NOT NULL CHECK (json_valid(task_tags)) -- for all of its tasks, beside those of their elements
) STRICT;
CREATE INDEX job_schedules_held ON job_schedules (job_id) WHERE paused IS NOT NULL OR start_after IS NOT NULL;
