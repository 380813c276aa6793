-- Mounts of the whole farm. A node's own mount of the same prefix wins there.
CREATE TABLE mounts (
  prefix TEXT PRIMARY KEY, -- of URIs, without a slash at its end
  posix TEXT, -- the folder on nodes with POSIX paths
  win32 TEXT, -- the folder on Windows nodes
  CHECK (posix IS NOT NULL OR win32 IS NOT NULL)
) STRICT, WITHOUT ROWID;
