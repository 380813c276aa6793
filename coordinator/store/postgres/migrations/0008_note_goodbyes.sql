-- When a node said goodbye or fell asleep with nothing to do: it is off, and not lost.
ALTER TABLE nodes ADD COLUMN left_at BIGINT; -- NULL: connected, or silent without a goodbye
