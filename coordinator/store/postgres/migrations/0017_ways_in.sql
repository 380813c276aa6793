-- Accounts at identity providers by which somebody comes in as well, beside what vouches for them itself.
CREATE TABLE links (
  issuer TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL, -- the provider's own name for them
  person_id BIGINT NOT NULL REFERENCES people ON DELETE CASCADE,
  name TEXT COLLATE "C" NOT NULL, -- as the provider called them last
  created BIGINT NOT NULL,
  used BIGINT, -- NULL: never
  PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX links_person ON links (person_id, issuer);

-- How a session was begun.
ALTER TABLE sessions ADD COLUMN issuer TEXT COLLATE "C"; -- NULL: with a password or a passkey of this farm
ALTER TABLE sessions ADD COLUMN provider_session TEXT COLLATE "C"; -- by the provider's own name, if it gives one
ALTER TABLE sessions ADD COLUMN most_role TEXT COLLATE "C" CHECK (most_role IN ('owner', 'operator', 'viewer')); -- NULL: the person's
UPDATE sessions SET issuer = (SELECT people.issuer FROM people WHERE people.id = person_id);

-- Until when an API user may log in, and when it last came.
ALTER TABLE api_users ADD COLUMN expires BIGINT; -- on the machine's clock; NULL: until it is revoked
ALTER TABLE api_users ADD COLUMN last_used BIGINT; -- NULL: not since this is noted
