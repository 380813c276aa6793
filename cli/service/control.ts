import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Run } from "../../agent/process/run.ts";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import { madeBy, type ServiceFile } from "./service.ts";

const limitMs = 60_000;

/** Whether a service is there, and whether it runs. */
export type ServiceState = { readonly isInstalled: boolean; readonly isRunning: boolean };

/** Writes the file, and has the system start the service now and from now on. Throws AppError for what the system refuses. */
export const installService = async (file: ServiceFile, run: Run): Promise<void> => {
  writeService(file);
  for (const command of file.install) await order(command, run);
};

/** The file alone, for people who tell their system themselves. */
export const writeService = ({ path, text }: ServiceFile): void => {
  requireOurs(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o644 });
  } catch (cause) {
    throw new AppError("NOT_ALLOWED", `${path} cannot be written: ${messageOf(cause)}`, { cause });
  }
};

/** Ends the service and deletes its file; data stays. Throws AppError NOT_FOUND if it is not there. */
export const removeService = async ({ path, remove }: ServiceFile, run: Run): Promise<void> => {
  if (!existsSync(path)) throw new AppError("NOT_FOUND", `There is no such service: ${path} is missing`);
  requireOurs(path);
  // One that does not run cannot be ended: the file goes all the same.
  for (const command of remove) await runAll(command, run);
  rmSync(path);
};

export const stateOf = async ({ path, status }: ServiceFile, run: Run): Promise<ServiceState> => {
  if (!existsSync(path)) return { isInstalled: false, isRunning: false };
  const { exitCode } = await runAll(status, run);
  return { isInstalled: true, isRunning: exitCode === 0 };
};

/** A file of somebody else is neither replaced nor deleted. */
const requireOurs = (path: string): void => {
  if (!existsSync(path) || readFileSync(path, "utf8").includes(madeBy)) return;
  throw new AppError("CONFLICT", `${path} was not made by this command: choose another --name, or move it away`);
};

const order = async (command: readonly string[], run: Run): Promise<void> => {
  const { exitCode, stderrTail } = await runAll(command, run);
  if (exitCode === 0) return;
  const said = stderrTail.trim() || `it ended with status ${exitCode}`;
  throw new AppError("UNAVAILABLE", `${command.join(" ")} failed: ${said}`);
};

const runAll = async ([command = "", ...args]: readonly string[], run: Run) => {
  try {
    return await run({ command, args, limitMs });
  } catch (cause) {
    throw new AppError("UNAVAILABLE", `${command} cannot be started: ${messageOf(cause)}`, { cause });
  }
};
