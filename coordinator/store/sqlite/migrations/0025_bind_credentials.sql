ALTER TABLE credentials ADD COLUMN bound TEXT CHECK (bound IS NULL OR json_valid(bound)); -- the nodes and groups that may use it; NULL: all
