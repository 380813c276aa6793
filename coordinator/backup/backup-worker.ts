import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../shared/basics/errors.ts";
import { giveWay } from "../give-way.ts";
import { checkBackup, takeBackup } from "./backup.ts";

/** Takes one backup, or tries one that exists, on a thread of its own, so that the coordinator's loop never waits for the disk. */
const { folder, file, now } = workerData as { folder?: string; file: string; now: number }; // backups.ts gives these

giveWay();
try {
  if (folder === undefined) checkBackup(file);
  else takeBackup(folder, file, now);
  parentPort?.postMessage({});
} catch (problem) {
  parentPort?.postMessage({ problem: messageOf(problem) });
}
