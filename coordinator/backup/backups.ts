import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { BackupsView } from "../../shared/api/backups.ts";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import { siblingModule } from "../../shared/basics/sibling-module.ts";
import { type BackupSchedule, backupSchedule, usualBackups } from "../../shared/model/backups.ts";
import type { Ground } from "../ground.ts";
import { isoTime } from "../iso-time.ts";
import type { Store } from "../store/store.ts";
import { backupName, backupsToDelete, isBackupDue, madeUntil, type OwnBackup, ownBackups } from "./plan.ts";

type Needs = Pick<Ground, "config" | "clock" | "log"> & { readonly store: Pick<Store, "records"> };

export type Backups = ReturnType<typeof createBackups>;

const recordKey = "backups";
const workerFile = siblingModule(import.meta.url, "backup-worker");
/** A failed backup is tried again after this time. */
const retryMs = 10 * 60_000;
/** The newest one is tried again after this time: disks lose what nobody reads. */
const trialMs = 24 * 3_600_000;
const mostShown = 20;

/** The backups that the farm makes of itself, in the folder of its configuration. */
export const createBackups = ({ config, clock, log, store }: Needs) => {
  const folder = config.backupDir;
  /** A file of SQLite in the data folder is one of before the farm moved to its server. */
  const isOnServer = config.store !== undefined;
  let running: Promise<void> | undefined;
  let failure: { readonly at: number; readonly message: string; readonly tried: number } | undefined;

  /** What came of trying each backup, by its name, since this start. */
  const trials = new Map<string, Trial>();
  const noteTrial = (name: string, problem: string | null): void => {
    trials.set(name, { at: clock.now(), steady: clock.monotonic(), problem });
  };
  const isSound = ({ name }: OwnBackup): boolean => (trials.get(name)?.problem ?? null) === null;

  const schedule = async (): Promise<BackupSchedule> => {
    const text = await store.records.get("farm", recordKey);
    return text === undefined ? usualBackups : backupSchedule.parse(JSON.parse(text));
  };
  /** What else bears such a name, like a link or a pipe, is none of its own: reading it might never end. */
  const present = async (dir: string): Promise<OwnBackup[]> => {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const found = await readdir(dir, { withFileTypes: true });
    return ownBackups(found.filter((each) => each.isFile()).map(({ name }) => name));
  };
  const noteFailure = (problem: unknown): void => {
    failure = { at: clock.now(), message: messageOf(problem), tried: clock.monotonic() };
    log.error({ err: problem }, "the backup failed");
  };
  const isDue = async (dir: string): Promise<boolean> => {
    try {
      return isBackupDue((await present(dir)).filter(isSound), await schedule(), clock.now());
    } catch (problem) {
      noteFailure(problem);
      return false;
    }
  };
  const make = async (dir: string): Promise<void> => {
    const now = clock.now();
    try {
      await present(dir);
      const name = backupName(now);
      await workInThread({ folder: config.dataDir, file: join(dir, name), now });
      noteTrial(name, null);
      failure = undefined;
      for (const { name } of backupsToDelete(await present(dir), await schedule(), now)) await rm(join(dir, name));
      log.info({ folder: dir }, "a backup was made and checked");
    } catch (problem) {
      noteFailure(problem);
    }
  };
  /** Opens and checks the newest one again, if that is due. */
  const tryNewest = async (dir: string): Promise<void> => {
    const [newest] = madeUntil(await present(dir), clock.now());
    if (!newest) return;
    const last = trials.get(newest.name);
    if (last && clock.monotonic() - last.steady < trialMs) return;
    try {
      await workInThread({ file: join(dir, newest.name), now: clock.now() });
      noteTrial(newest.name, null);
    } catch (problem) {
      noteTrial(newest.name, messageOf(problem));
      log.error({ err: problem }, "a backup cannot be restored any more; another one is made");
    }
  };
  /** Starts a backup unless one is under way. Resolves when it has ended, however it ended. */
  const start = (dir: string): Promise<void> => {
    running ??= make(dir).finally(() => {
      running = undefined;
    });
    return running;
  };

  return {
    /** Tries the newest backup if that is due, and makes another one if that is due. */
    look: async (): Promise<void> => {
      if (folder === undefined || (failure && clock.monotonic() - failure.tried < retryMs)) return;
      if (isOnServer) return noteFailure(onServer());
      await tryNewest(folder).catch(noteFailure);
      if (await isDue(folder)) await start(folder);
    },
    /** Starts a backup now. Throws AppError if the farm has no folder for them. */
    begin: (): void => {
      if (folder === undefined)
        throw new AppError("CONFLICT", "This farm has no folder for backups: start it with --backups DIR");
      if (isOnServer) throw onServer();
      void start(folder);
    },
    setSchedule: async (wanted: BackupSchedule): Promise<BackupSchedule> => {
      await store.records.change("farm", recordKey, () => JSON.stringify(wanted));
      log.info({ backups: wanted }, "the schedule of backups was changed");
      return wanted;
    },
    view: async (): Promise<BackupsView> => ({
      folder: folder ?? null,
      schedule: await schedule(),
      is_running: running !== undefined,
      items: folder === undefined ? [] : await shownIn(folder, await present(folder), trials),
      failure: failure ? { at: isoTime(failure.at), message: failure.message } : null,
    }),
    /** When the newest backup was made that can be restored; undefined if there is none. */
    newest: async (): Promise<number | undefined> =>
      folder === undefined || isOnServer
        ? undefined
        : madeUntil(await present(folder), clock.now()).find(isSound)?.made,
    /** Resolves when no backup is under way. */
    settle: async (): Promise<void> => running,
  };
};

const onServer = (): AppError =>
  new AppError(
    "CONFLICT",
    "This farm is kept in PostgreSQL: back its database up with its server's tools, and start the farm without --backups",
  );

type Trial = { readonly at: number; readonly steady: number; readonly problem: string | null };

const shownIn = async (
  dir: string,
  backups: readonly OwnBackup[],
  trials: ReadonlyMap<string, Trial>,
): Promise<BackupsView["items"]> => {
  const shown = backups.slice(0, mostShown).map(async ({ name, made }) => {
    const found = await stat(join(dir, name)).catch(() => undefined);
    if (!found) return []; // somebody has just taken it away
    const { at = made, problem = null } = trials.get(name) ?? {};
    return [{ name, made: isoTime(made), bytes: found.size, tried: isoTime(at), problem }];
  });
  return (await Promise.all(shown)).flat();
};

/** Without a folder, the file is only tried. */
type Job = { readonly folder?: string; readonly file: string; readonly now: number };

const workInThread = (job: Job): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(workerFile, { workerData: job });
    worker.once("message", ({ problem }: { problem?: string }) =>
      problem === undefined ? resolve() : reject(new Error(problem)),
    );
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The thread that writes backups ended without a result")));
  });
