ALTER TABLE account ADD COLUMN renewed INTEGER; -- when the pair was last made anew
ALTER TABLE api_users ADD COLUMN name TEXT NOT NULL DEFAULT ''; -- what an owner calls it
ALTER TABLE api_users ADD COLUMN last_login INTEGER;
CREATE INDEX tokens_user ON tokens (user_id, expires);
