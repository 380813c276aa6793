-- What people and programs did to jobs and nodes is the audit.
ALTER TABLE deeds RENAME TO audit;
DROP INDEX deeds_job;
DROP INDEX deeds_node;
CREATE INDEX audit_job ON audit (job_id, id) WHERE job_id IS NOT NULL;
CREATE INDEX audit_node ON audit (node_id, id) WHERE node_id IS NOT NULL;
