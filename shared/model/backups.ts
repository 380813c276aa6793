import { z } from "zod";

/** How often the farm backs itself up, and how many backups it keeps. */
export const backupSchedule = z.strictObject({
  everyHours: z.number().int().min(1).max(744),
  /** The newest ones stay. */
  keep: z.number().int().min(1).max(1000),
});
export type BackupSchedule = z.output<typeof backupSchedule>;

export const usualBackups: BackupSchedule = { everyHours: 24, keep: 14 };
