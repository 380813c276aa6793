import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import { jobCount } from "../text/count.ts";
import type { Packaging } from "./packagings.ts";
import type { Perform } from "./perform.ts";
import { forgetOldUpgrades, makeUpgradeFolder, writeRecord } from "./records.ts";

export type Upgrading = {
  readonly dataDir: string;
  readonly packaging: Packaging;
  /** The words that start the program that is installed now. */
  readonly program: readonly string[];
  readonly version: string;
  readonly performAsOwner: Perform;
  readonly now: number;
  readonly say: (text: string) => void;
};

/** What `mediafarm rehearse --json` prints. */
const rehearsal = z.strictObject({
  ...{ from: z.string(), to: z.string(), jobs: z.number() },
  schema: z.strictObject({ from: z.number(), to: z.number() }),
});

export type Prepared = {
  readonly folder: string;
  readonly file: string;
  readonly to: string;
  /** Null on a machine without a farm. */
  readonly rehearsed: z.output<typeof rehearsal> | null;
  readonly backup: string | null;
};

/**
 * Backs the farm up and lets the program of a package take over a copy of it. Nothing of the farm and of the installation is
 * changed. Throws AppError if the upgrade would fail.
 */
export const prepareUpgrade = async (file: string, upgrading: Upgrading): Promise<Prepared> => {
  const { dataDir, now } = upgrading;
  const folder = makeUpgradeFolder(dataDir, now);
  try {
    return { folder, file, ...(await rehearseIn(folder, file, upgrading)) };
  } catch (problem) {
    rmSync(folder, { recursive: true, force: true });
    throw new AppError("CONFLICT", `Nothing was changed, because the rehearsal failed: ${messageOf(problem)}`, {
      cause: problem,
    });
  }
};

const rehearseIn = async (
  folder: string,
  file: string,
  { dataDir, packaging, program, performAsOwner, say }: Upgrading,
): Promise<Pick<Prepared, "to" | "rehearsed" | "backup">> => {
  const unpacked = join(folder, "new");
  mkdirSync(unpacked);
  try {
    const newer = await packaging.unpack(file, unpacked);
    const { version: to } = z
      .object({ version: z.string() })
      .parse(await answerOf(newer, ["--version"], performAsOwner));
    if (!existsSync(join(dataDir, "coordinator/farm.db"))) return { to, rehearsed: null, backup: null };
    const backup = join(folder, "before.backup");
    await answerOf(program, ["backup", backup, "--data", dataDir], performAsOwner);
    say(`Backed up into ${backup}`);
    const rehearsed = rehearsal.parse(await answerOf(newer, ["rehearse", backup], performAsOwner));
    say(`Rehearsed with Mediafarm ${to} on a copy: ${jobCount(rehearsed.jobs)}`);
    return { to, rehearsed, backup };
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
};

/** Runs a command of Mediafarm and parses what it prints. */
const answerOf = async (program: readonly string[], words: readonly string[], perform: Perform): Promise<unknown> =>
  JSON.parse(await perform([...program, ...words, "--json"]));

/** Keeps what is installed, and installs what was rehearsed. */
export const performUpgrade = async (prepared: Prepared, { dataDir, packaging, version, now, say }: Upgrading) => {
  const { folder, file, to, rehearsed, backup } = prepared;
  const kept = join(folder, "old");
  mkdirSync(kept);
  const older = await packaging.keep(kept);
  writeRecord(folder, {
    ...{ made: new Date(now).toISOString(), from: version, to, package: older, backup },
    changes_database: rehearsed !== null && rehearsed.schema.from !== rehearsed.schema.to,
  });
  say(`Kept what is installed as ${older}`);
  await packaging.install(file);
  forgetOldUpgrades(dataDir);
};
