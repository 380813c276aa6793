-- Rows from before passwords were encrypted: those behind this key of each table have not been looked through yet. A row
-- goes when its table is done.
CREATE TABLE unsealed (
  what TEXT PRIMARY KEY CHECK (what IN ('definitions', 'specs', 'presets')),
  after TEXT NOT NULL CHECK (json_valid(after)) -- the values of the key
) STRICT, WITHOUT ROWID;
INSERT INTO unsealed VALUES ('definitions', '[0]'), ('specs', '[0, ""]'), ('presets', '[""]');
