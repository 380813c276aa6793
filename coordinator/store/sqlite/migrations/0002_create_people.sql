-- People who sign in to the pages. They are no API users: neither's credentials open the other's door.

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
