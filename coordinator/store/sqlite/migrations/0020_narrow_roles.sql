-- To what somebody's role is narrowed: nodes and jobs with these tags, or with tags of these compute groups. Both empty: to nothing.
ALTER TABLE people ADD COLUMN only_tags TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(only_tags));
ALTER TABLE people ADD COLUMN only_groups TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(only_groups)); -- their names
