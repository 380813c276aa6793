-- Accounts at identity providers by which somebody comes in as well, beside what vouches for them itself.
CREATE TABLE links (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL, -- the provider's own name for them
  person_id INTEGER NOT NULL REFERENCES people ON DELETE CASCADE,
  name TEXT NOT NULL, -- as the provider called them last
  created INTEGER NOT NULL,
  used INTEGER, -- NULL: never
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX links_person ON links (person_id, issuer);

-- How a session was begun.
ALTER TABLE sessions ADD COLUMN issuer TEXT; -- NULL: with a password or a passkey of this farm
ALTER TABLE sessions ADD COLUMN provider_session TEXT; -- by the provider's own name, if it gives one
ALTER TABLE sessions ADD COLUMN most_role TEXT CHECK (most_role IN ('owner', 'operator', 'viewer')); -- NULL: the person's
UPDATE sessions SET issuer = (SELECT people.issuer FROM people WHERE people.id = person_id);

-- Until when an API user may log in, and when it last came.
ALTER TABLE api_users ADD COLUMN expires INTEGER; -- on the machine's clock; NULL: until it is revoked
ALTER TABLE api_users ADD COLUMN last_used INTEGER; -- NULL: not since this is noted
