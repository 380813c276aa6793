ALTER TABLE nodes ADD COLUMN health TEXT NOT NULL DEFAULT 'sound' CHECK (health IN ('sound', 'quarantined', 'probation'));
ALTER TABLE nodes ADD COLUMN health_since INTEGER; -- when it was last quarantined
ALTER TABLE nodes ADD COLUMN health_until INTEGER; -- when the quarantine ends
ALTER TABLE nodes ADD COLUMN health_why TEXT;
ALTER TABLE nodes ADD COLUMN strikes INTEGER NOT NULL DEFAULT 0; -- quarantines, one soon after the other
