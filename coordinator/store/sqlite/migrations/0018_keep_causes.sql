-- Works beside older programs.
-- Why a task failed, beside its failure, which is encrypted where it may hold secrets: lists tell stopped tasks from others by it.
ALTER TABLE tasks ADD COLUMN cause TEXT; -- NULL: it has not failed, or did so before this was kept
