CREATE TABLE presets (
  key TEXT PRIMARY KEY,
  preset TEXT NOT NULL CHECK (json_valid(preset)), -- as received
  changed INTEGER NOT NULL
) STRICT;
