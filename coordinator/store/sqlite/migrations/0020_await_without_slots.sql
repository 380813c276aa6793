ALTER TABLE tasks ADD COLUMN awaits TEXT CHECK (awaits IS NULL OR json_valid(awaits)); -- what it waits for before it may start
