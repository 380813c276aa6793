-- By this mark agents know a database of a farm, wherever it lies: see databaseMark in shared/files/data-folder.ts.
PRAGMA application_id = 0x4d466672;
