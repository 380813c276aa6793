-- What somebody has beside their password: passkeys, the sealed secret of one-time codes, marks of recovery codes.
ALTER TABLE people ADD COLUMN second_steps TEXT NOT NULL DEFAULT ''; -- JSON; empty for none
