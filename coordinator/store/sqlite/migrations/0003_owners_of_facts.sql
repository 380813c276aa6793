-- Whose job found the facts of a file: others learn them by looking at the file themselves. Those from before are nobody's.
ALTER TABLE facts ADD COLUMN owner_id TEXT;
ALTER TABLE facts ADD COLUMN owner_group TEXT;
