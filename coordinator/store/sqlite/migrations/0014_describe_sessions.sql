-- From where a session was begun, for the person to recognise it; empty for those from before.
ALTER TABLE sessions ADD COLUMN origin TEXT NOT NULL DEFAULT ''; -- the address
ALTER TABLE sessions ADD COLUMN browser TEXT NOT NULL DEFAULT ''; -- as it names itself
