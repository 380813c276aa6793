CREATE TABLE compute_groups (
  name TEXT PRIMARY KEY,
  provided_tags TEXT NOT NULL CHECK (json_valid(provided_tags)), -- its nodes provide them beside their own
  mandatory_tags TEXT NOT NULL CHECK (json_valid(mandatory_tags)) -- its nodes take only tasks that carry all of these
) STRICT;
ALTER TABLE nodes ADD COLUMN compute_group TEXT REFERENCES compute_groups ON UPDATE CASCADE ON DELETE SET NULL;

-- How many tasks that carry a tag may run at a time on the whole farm.
CREATE TABLE tag_limits (
  tag TEXT PRIMARY KEY,
  most INTEGER NOT NULL CHECK (most >= 0)
) STRICT;
