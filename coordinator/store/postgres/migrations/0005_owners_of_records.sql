-- Who made a record, so that nobody takes up the room of all. Those from before count for nobody.
ALTER TABLE records ADD COLUMN owner TEXT COLLATE "C"; -- `api user 12`, `person 3`
CREATE INDEX records_owner ON records (kind, owner) WHERE owner IS NOT NULL;
