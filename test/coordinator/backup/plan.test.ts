import { expect, test } from "vitest";
import { backupName, backupsToDelete, isBackupDue, ownBackups } from "../../../coordinator/backup/plan.ts";

const hour = 3_600_000;
const noon = Date.UTC(2026, 10, 1, 12);
const schedule = { everyHours: 24, keep: 2 };
const at = (made: number) => ({ name: backupName(made), made });

test("a backup's name says when it was made", () => {
  expect(backupName(noon)).toBe("mediafarm-2026-11-01T12-00-00Z.backup");
  expect(ownBackups([backupName(noon)])).toEqual([{ name: "mediafarm-2026-11-01T12-00-00Z.backup", made: noon }]);
});

test("other files of the folder are no backups of the farm", () => {
  const others = ["farm.db", "mediafarm-2026-11-01T12-00-00Z.backup.17.part", "mediafarm-2026-99-01T12-00-00Z.backup"];
  expect(ownBackups(others)).toEqual([]);
});

test("a backup is due when the newest is older than the schedule's hours", () => {
  expect(isBackupDue([], schedule, noon)).toBe(true);
  expect(isBackupDue([at(noon - 24 * hour)], schedule, noon)).toBe(true);
  expect(isBackupDue([at(noon - 23 * hour)], schedule, noon)).toBe(false);
});

test("a backup of the future, from before the clock was set back, does not put the next one off", () => {
  expect(isBackupDue([at(noon + 100 * hour)], schedule, noon)).toBe(true);
});

test("the newest backups are kept", () => {
  const made = ownBackups([noon, noon - 48 * hour, noon - 24 * hour].map(backupName));
  expect(backupsToDelete(made, schedule, noon)).toEqual([at(noon - 48 * hour)]);
});

test("names of the future push no backup out, and are left alone until their time has come", () => {
  const later = [1, 2, 3].map((nr) => at(noon + nr * 1000 * hour));
  const own = [noon, noon - 24 * hour].map(at);
  expect(backupsToDelete(ownBackups([...own, ...later].map(({ name }) => name)), schedule, noon)).toEqual([]);
});
