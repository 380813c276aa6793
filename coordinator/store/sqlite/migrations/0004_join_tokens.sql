-- By which join token each node came in, and whether it still waits for somebody to let it work.
ALTER TABLE nodes ADD COLUMN joined_by TEXT; -- a token's id, 'farm' for the farm's own; NULL: from before this was kept
ALTER TABLE nodes ADD COLUMN pending INTEGER NOT NULL DEFAULT 0 CHECK (pending IN (0, 1));
