-- Everything that was changed or refused. Each line's hash covers the line and the hash before it.
CREATE TABLE trail (
  id BIGINT PRIMARY KEY, -- from 1 without gaps
  at BIGINT NOT NULL,
  who TEXT COLLATE "C" NOT NULL,
  origin TEXT COLLATE "C" NOT NULL, -- from where
  action TEXT COLLATE "C" NOT NULL,
  outcome TEXT COLLATE "C" NOT NULL, -- done, or the code of the refusal
  about TEXT COLLATE "C" NOT NULL,
  hash TEXT COLLATE "C" NOT NULL -- SHA-256, hexadecimal
);
-- Where the kept lines begin and end, and the same sealed with the farm's key.
CREATE TABLE trail_ends (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  first BIGINT NOT NULL,
  before TEXT COLLATE "C" NOT NULL, -- the hash of the line before the first
  last BIGINT NOT NULL,
  hash TEXT COLLATE "C" NOT NULL,
  seal TEXT COLLATE "C" NOT NULL
);
