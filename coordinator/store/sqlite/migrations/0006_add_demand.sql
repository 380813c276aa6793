ALTER TABLE tasks ADD COLUMN demand TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(demand)); -- what it takes of a node beside its slot
