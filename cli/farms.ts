import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { machineFile } from "../coordinator/machine-key.ts";
import { AppError } from "../shared/errors.ts";

/** What commands know of the farms of this machine, by their data folders. */
export type KnownFarms<T> = {
  readonly current: string;
  /** Somebody said which is the current one: no other takes its place. */
  readonly isChosen?: boolean | undefined;
  readonly farms: Readonly<Record<string, T>>;
};

/** Flags that say which farm a command is for. */
export type FarmWords = { readonly farm?: string | undefined; readonly data?: string | undefined };

/** A farm goes by the last part of its data folder, without the dot that hides it. */
export const farmName = (folder: string): string => basename(folder).replace(/^\./, "") || folder;

/**
 * The data folder that a command is for: the one it names, else the current farm. Where that does not run and nobody chose
 * it, the only one that runs. Undefined where no farm is known. Throws AppError for a name that no farm has, or several.
 */
export const farmFolder = (
  known: KnownFarms<unknown> | undefined,
  { farm, data }: FarmWords,
  isRunning: (folder: string) => boolean = runs,
): string | undefined => {
  if (data !== undefined) return resolve(data);
  const folders = Object.keys(known?.farms ?? {});
  if (farm !== undefined) return named(farm, folders);
  if (!known || known.isChosen || isRunning(known.current)) return known?.current;
  const running = folders.filter(isRunning);
  return running.length === 1 ? running[0] : known.current;
};

/** The current farm once this one has started: the one that was, unless it is gone or stands still unchosen. */
export const currentAfterStart = (
  known: KnownFarms<unknown> | undefined,
  started: string,
  isRunning: (folder: string) => boolean = runs,
): string => {
  if (!known?.farms[known.current]) return started;
  return known.isChosen || isRunning(known.current) ? known.current : started;
};

const named = (name: string, folders: readonly string[]): string => {
  const found = folders.filter((folder) => folder === resolve(name) || farmName(folder) === name);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const message =
    found.length > 1
      ? `Several farms are called ${name}: name the data folder, one of ${found.join(", ")}`
      : `No farm is called ${name}: "mediafarm farms" lists those that were started here`;
  throw new AppError("NOT_FOUND", message);
};

const machine = z.object({ pid: z.number().int().positive() });

/** Its coordinator left a file that names its process, and that process is there. */
export const runs = (folder: string): boolean => {
  try {
    const { pid } = machine.parse(JSON.parse(readFileSync(join(folder, "coordinator", machineFile), "utf8")));
    return isAlive(pid);
  } catch {
    return false; // no file, or none of ours
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (problem) {
    return (problem as NodeJS.ErrnoException).code === "EPERM"; // it is there, and somebody else's
  }
};
