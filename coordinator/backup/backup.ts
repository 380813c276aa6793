import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import { createCipher } from "../store/cipher.ts";
import {
  type BackupFile,
  type OpenedBackup,
  openBackup,
  type Unpacking,
  unpackDatabase,
  writeBackup,
} from "../store/sqlite/file/backup.ts";

const keyFile = "coordinator/secret.key";
/** What belongs to a farm beside its database, by its place from the coordinator's folder. Missing files are left out. */
const besideDatabase: Readonly<Record<string, string>> = {
  [keyFile]: "secret.key",
  "agent/identity.json": "../agent/identity.json",
};
const databaseFile = "farm.db";

/** What is known of a backup that was opened and checked. */
export type CheckedBackup = {
  readonly file: string;
  /** Milliseconds of Unix time. */
  readonly made: number;
  /** The version of Mediafarm that made it. */
  readonly program: string;
  /** The version of the database. */
  readonly schema: number;
  readonly jobs: number;
  /** To where the farm began to move before it was taken, unless it was used here since. */
  readonly move: string | undefined;
};

/**
 * Writes the farm of a coordinator's folder into one file, mode 0600, and checks it. The farm may run. Throws AppError if
 * there is no farm, or if the file cannot be written or read back.
 */
export const takeBackup = (folder: string, file: string, now: number): CheckedBackup => {
  const database = join(folder, databaseFile);
  if (!existsSync(database)) throw new AppError("NOT_FOUND", `There is no farm here: ${database} is missing`);
  const about = { made: now, program: packageJson.version };
  try {
    const checked = writeBackup(database, file, { about, files: filesBeside(folder), check: checkBackup });
    return { ...checked, file };
  } catch (cause) {
    throw new AppError("UNAVAILABLE", `The backup ${file} could not be written: ${messageOf(cause)}`, { cause });
  }
};

const filesBeside = (folder: string): BackupFile[] =>
  Object.entries(besideDatabase)
    .filter(([, place]) => existsSync(join(folder, place)))
    .map(([name, place]) => ({ name, bytes: readFileSync(join(folder, place)) }));

/** Opens a backup, reads every page, and tries its key. Throws AppError that says what is wrong. */
export const checkBackup = (file: string): CheckedBackup => {
  const { files, sealedSample, ...about } = openBackup(file);
  tryKey(file, files, sealedSample);
  return { file, made: about.made, program: about.program, schema: about.schema, jobs: about.jobs, move: about.move };
};

/** A backup without the key holds no key because the farm has it from its environment. */
const tryKey = (file: string, files: OpenedBackup["files"], sealedSample: string | undefined): void => {
  const key = files.find(({ name }) => name === keyFile);
  if (!key || sealedSample === undefined) return;
  try {
    createCipher(key.bytes).open(sealedSample);
  } catch (cause) {
    throw new AppError("VALIDATION_FAILED", `${file} cannot be used as a backup: its key does not open its secrets`, {
      cause,
    });
  }
};

/**
 * Makes a coordinator's folder of a backup. Throws AppError if the folder already holds a farm, or if the backup is
 * damaged. Files that no backup has are left out.
 */
export const restoreBackup = (file: string, folder: string, unpacking: Unpacking = {}): CheckedBackup => {
  const database = join(folder, databaseFile);
  const present = [database, `${database}-wal`].find((each) => existsSync(each));
  if (present)
    throw new AppError(
      "CONFLICT",
      `There is a farm already: ${present}. Restore into another folder with --data, or move this one away`,
    );
  const checked = checkBackup(file);
  for (const { name, bytes } of openBackup(file).files) {
    const place = Object.hasOwn(besideDatabase, name) ? besideDatabase[name] : undefined;
    if (place !== undefined) writePrivately(join(folder, place), bytes);
  }
  unpackDatabase(file, database, unpacking); // last: if something fails before it, the folder can be restored into again
  return checked;
};

const writePrivately = (path: string, bytes: Buffer): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, bytes, { mode: 0o600 });
};
