import { z } from "zod";
import { backupSchedule } from "../model/backups.ts";

const madeBackup = z.strictObject({
  name: z.string(),
  made: z.iso.datetime(),
  bytes: z.number(),
  /** When it was opened and checked last: when it was made, and the newest one every day. */
  tried: z.iso.datetime(),
  /** Why it cannot be restored; null if it can. */
  problem: z.string().nullable(),
});

/** The farm's own backups. */
export const backupsView = z.strictObject({
  /** The folder on the coordinator's machine; null if the farm makes none. */
  folder: z.string().nullable(),
  schedule: backupSchedule,
  is_running: z.boolean(),
  /** The newest first. */
  items: z.array(madeBackup),
  /** Why the last try failed; null if it did not. */
  failure: z.strictObject({ at: z.iso.datetime(), message: z.string() }).nullable(),
});
export type BackupsView = z.output<typeof backupsView>;
