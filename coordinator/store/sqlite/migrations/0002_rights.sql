-- What API users may do, and whose jobs they reach. Those from before keep everything that they could do.
ALTER TABLE api_users ADD COLUMN scopes TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(scopes));
ALTER TABLE api_users ADD COLUMN reach TEXT NOT NULL DEFAULT 'all' CHECK (reach IN ('own', 'group', 'all'));
ALTER TABLE api_users ADD COLUMN group_name TEXT; -- whose jobs and presets the reach group means
UPDATE api_users SET scopes = CASE may_mount
  WHEN 1 THEN '["jobs:read","jobs:write","presets:read","presets:write","nodes:read","nodes:write","vault","settings","mounts"]'
  ELSE '["jobs:read","jobs:write","presets:read","presets:write","nodes:read","nodes:write","vault","settings"]' END;
ALTER TABLE api_users DROP COLUMN may_mount;

-- Whose a job is, by a stable id; jobs from before are nobody's.
ALTER TABLE jobs ADD COLUMN owner_id TEXT; -- `api user 12`, `person 3`
ALTER TABLE jobs ADD COLUMN owner_group TEXT; -- of its owner, when it was sent
CREATE INDEX jobs_owner_id ON jobs (owner_id, id, status, substatus) WHERE owner_id IS NOT NULL;
CREATE INDEX jobs_owner_group ON jobs (owner_group, id, status, substatus) WHERE owner_group IS NOT NULL;
