-- Agents know a file of SQLite by a mark. A database on a server is no file of a node: nothing changes here.
SELECT 1;
