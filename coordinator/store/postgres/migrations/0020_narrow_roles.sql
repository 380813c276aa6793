-- To what somebody's role is narrowed: nodes and jobs with these tags, or with tags of these compute groups. Both empty: to nothing.
ALTER TABLE people ADD COLUMN only_tags TEXT COLLATE "C" NOT NULL DEFAULT '[]'; -- JSON
ALTER TABLE people ADD COLUMN only_groups TEXT COLLATE "C" NOT NULL DEFAULT '[]'; -- JSON: their names
