ALTER TABLE watched_files ADD COLUMN gone INTEGER; -- since when it is no longer in its folder, in the farm's time
