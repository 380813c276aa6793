import type { BackupSchedule } from "../../shared/model/backups.ts";

/** A backup that the farm made by itself. Its name says when: milliseconds of Unix time, in UTC and without colons. */
export type OwnBackup = { readonly name: string; readonly made: number };

const hourMs = 3_600_000;
const pattern = /^mediafarm-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)Z\.backup$/;

export const backupName = (made: number): string =>
  `mediafarm-${new Date(made).toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup`;

/** The farm's own backups among the names of a folder, the newest first. Others are left alone. */
export const ownBackups = (names: readonly string[]): OwnBackup[] =>
  names
    .flatMap((name) => {
      const [, text] = pattern.exec(name) ?? [];
      const made = text === undefined ? Number.NaN : Date.parse(`${text.replace(/-(\d\d)-(\d\d)$/, ":$1:$2")}Z`);
      return Number.isNaN(made) ? [] : [{ name, made }];
    })
    .sort((a, b) => b.made - a.made);

/** Those of the past. One of the future, from before the clock was set back, counts for nothing until its time has come. */
export const madeUntil = (backups: readonly OwnBackup[], now: number): OwnBackup[] =>
  backups.filter(({ made }) => made <= now);

/** Whether a backup is due. */
export const isBackupDue = (backups: readonly OwnBackup[], { everyHours }: BackupSchedule, now: number): boolean =>
  !madeUntil(backups, now).some(({ made }) => now - made < everyHours * hourMs);

/** The backups beyond those that are kept, once a new one is there. */
export const backupsToDelete = (backups: readonly OwnBackup[], { keep }: BackupSchedule, now: number): OwnBackup[] =>
  madeUntil(backups, now).slice(keep);
