CREATE TABLE credentials (
  name TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  prefix TEXT, -- used for addresses below it where a job names none
  sealed TEXT NOT NULL, -- encrypted with the key in secret.key
  changed INTEGER NOT NULL
) STRICT;
