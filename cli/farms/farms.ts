import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { isAlive } from "../../coordinator/is-alive.ts";
import { machineFile } from "../../coordinator/people/machine-key.ts";
import { AppError } from "../../shared/basics/errors.ts";

/** The known farms of this machine, by data folder. */
export type KnownFarms<T> = {
  readonly current: string;
  /** Somebody chose the current farm: no other replaces it. */
  readonly isChosen?: boolean | undefined;
  readonly farms: Readonly<Record<string, T>>;
};

/** Flags that choose a farm. */
export type FarmChoice = { readonly farm?: string | undefined; readonly data?: string | undefined };

/** A farm is named after the last part of its data folder, without a leading dot. */
export const farmName = (folder: string): string => basename(folder).replace(/^\./, "") || folder;

/**
 * The data folder that a command uses: the one it names, else the current farm. If that is stopped and nobody chose
 * it, the only running one. Undefined if no farm is known. Throws AppError for an unknown or ambiguous name.
 */
export const farmFolder = (
  known: KnownFarms<unknown> | undefined,
  { farm, data }: FarmChoice,
  isRunning: (folder: string) => boolean = runs,
): string | undefined => {
  if (data !== undefined) return resolve(data);
  const folders = Object.keys(known?.farms ?? {});
  if (farm !== undefined) return named(farm, folders);
  if (!known || known.isChosen || isRunning(known.current)) return known?.current;
  const running = folders.filter(isRunning);
  return running.length === 1 ? running[0] : known.current;
};

/** The current farm after this one started: the previous one, unless it is gone, or stopped and not chosen. */
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
      : `There is no farm called ${name}: "mediafarm farms" lists the farms started here`;
  throw new AppError("NOT_FOUND", message);
};

const machine = z.object({ pid: z.number().int().positive() });

/** Whether the process named in the coordinator's file is alive. */
export const runs = (folder: string): boolean => {
  try {
    const { pid } = machine.parse(JSON.parse(readFileSync(join(folder, "coordinator", machineFile), "utf8")));
    return isAlive(pid);
  } catch {
    return false; // no file, or not ours
  }
};
