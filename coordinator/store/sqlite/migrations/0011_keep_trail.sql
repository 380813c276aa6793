-- Everything that was changed or refused. Each line's hash covers the line and the hash before it.
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
-- Where the kept lines begin and end, and the same sealed with the farm's key.
CREATE TABLE trail_ends (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  first INTEGER NOT NULL,
  before TEXT NOT NULL, -- the hash of the line before the first
  last INTEGER NOT NULL,
  hash TEXT NOT NULL,
  seal TEXT NOT NULL
) STRICT;
