import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Packaging } from "./packagings.ts";
import type { Perform } from "./perform.ts";
import { markUndone, type UpgradeRecord } from "./records.ts";

export type RollingBack = {
  readonly dataDir: string;
  readonly folder: string;
  readonly record: UpgradeRecord;
  readonly packaging: Packaging;
  readonly program: readonly string[];
  readonly performAsOwner: Perform;
  /** Also where the old program could open the database as it is. */
  readonly restoring: boolean;
};

export type RolledBack = {
  readonly restored: boolean;
  /** Jobs that the farm had, and those that it has now. */
  readonly jobs: { readonly before: number; readonly after: number } | null;
  /** Where the newer database lies. */
  readonly aside: string | null;
};

const databaseFiles = ["farm.db", "farm.db-wal", "farm.db-shm"];
const counted = z.object({ jobs: z.number() });

/** Puts the old program back, and the farm of before the upgrade where the old program could not open what there is now. The farm stands still. */
export const rollBack = async (call: RollingBack): Promise<RolledBack> => {
  const { folder, record, packaging } = call;
  const needed = record.changes_database || call.restoring;
  const done: RolledBack =
    needed && record.backup !== null
      ? await restoreBefore(record.backup, call)
      : { restored: false, jobs: null, aside: null };
  await packaging.install(record.package);
  markUndone(folder);
  return done;
};

/** The present program does it: it knows both. What it replaces stays beside the backup. */
const restoreBefore = async (
  backup: string,
  { dataDir, folder, program, performAsOwner }: RollingBack,
): Promise<RolledBack> => {
  const answerOf = async (...words: string[]) =>
    counted.parse(JSON.parse(await performAsOwner([...program, ...words, "--json"])));
  await answerOf("backup", "--check", backup); // before anything is moved
  const { jobs: before } = await answerOf("backup", join(folder, "after.backup"), "--data", dataDir);
  const aside = join(folder, "after");
  mkdirSync(aside, { recursive: true, mode: 0o700 });
  const coordinator = join(dataDir, "coordinator");
  for (const name of databaseFiles.filter((each) => existsSync(join(coordinator, each))))
    renameSync(join(coordinator, name), join(aside, name));
  const { jobs: after } = await answerOf("restore", backup, "--data", dataDir);
  return { restored: true, jobs: { before, after }, aside };
};
