-- Sections of transcodes of deleted jobs, until a node has removed their files.
CREATE TABLE section_files (
  uri TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0
) STRICT;
