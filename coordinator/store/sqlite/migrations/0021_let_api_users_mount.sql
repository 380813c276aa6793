-- Whether the API user may change the farm's mounts, which open folders on every node. The first one of `up` may.
ALTER TABLE api_users ADD COLUMN may_mount INTEGER NOT NULL DEFAULT 0 CHECK (may_mount IN (0, 1));
UPDATE api_users SET may_mount = 1 WHERE id = (SELECT min(id) FROM api_users);
