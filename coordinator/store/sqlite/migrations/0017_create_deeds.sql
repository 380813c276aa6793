-- What people and programs did to jobs and nodes, for who asks afterwards who it was and why.
CREATE TABLE deeds (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  action TEXT NOT NULL,
  job_id INTEGER REFERENCES jobs ON DELETE CASCADE,
  node_id INTEGER REFERENCES nodes ON DELETE CASCADE,
  note TEXT -- the reason that was given
) STRICT;
CREATE INDEX deeds_job ON deeds (job_id, id) WHERE job_id IS NOT NULL;
CREATE INDEX deeds_node ON deeds (node_id, id) WHERE node_id IS NOT NULL;
