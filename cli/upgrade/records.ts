import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";

/** What `rollback` needs to know of an upgrade. */
const upgradeRecord = z.strictObject({
  made: z.iso.datetime(),
  from: z.string(),
  to: z.string(),
  /** The package of the old program. */
  package: z.string(),
  /** The farm as it was before; null on a machine that has none. */
  backup: z.string().nullable(),
  /** Whether the upgrade changes the database, so that the old program cannot open it any more. */
  changes_database: z.boolean(),
});
export type UpgradeRecord = z.output<typeof upgradeRecord>;

const recordFile = "upgrade.json";
/** Of older ones there is no way back in one step. */
const mostKept = 2;

const folderOf = (dataDir: string): string => join(dataDir, "upgrades");

/** Makes the folder of a new upgrade. It belongs to whom the data belongs to, who writes the backup there. */
export const makeUpgradeFolder = (dataDir: string, now: number): string => {
  const { uid, gid } = statSync(dataDir);
  const folder = join(folderOf(dataDir), new Date(now).toISOString().replaceAll(":", "-"));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) for (const each of [folderOf(dataDir), folder]) chownSync(each, uid, gid);
  return folder;
};

export const writeRecord = (folder: string, record: UpgradeRecord): void =>
  writeFileSync(join(folder, recordFile), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });

/** The newest upgrade that was not undone. Throws AppError NOT_FOUND if there is none. */
export const newestUpgrade = (dataDir: string): { readonly folder: string; readonly record: UpgradeRecord } => {
  const [folder] = upgradesIn(dataDir);
  if (folder === undefined)
    throw new AppError(
      "NOT_FOUND",
      `No upgrade by mediafarm upgrade is known in ${folderOf(dataDir)}: install the older package and restore a backup`,
    );
  return { folder, record: upgradeRecord.parse(JSON.parse(readFileSync(join(folder, recordFile), "utf8"))) };
};

/** The newest first. */
const upgradesIn = (dataDir: string): string[] => {
  const folder = folderOf(dataDir);
  if (!existsSync(folder)) return [];
  const all = readdirSync(folder).sort().reverse();
  return all.map((name) => join(folder, name)).filter((each) => existsSync(join(each, recordFile)));
};

/** It is not undone a second time; its backup and what was put aside stay. */
export const markUndone = (folder: string): void => renameSync(join(folder, recordFile), join(folder, "undone.json"));

export const forgetOldUpgrades = (dataDir: string): void => {
  for (const folder of upgradesIn(dataDir).slice(mostKept)) rmSync(folder, { recursive: true, force: true });
};
