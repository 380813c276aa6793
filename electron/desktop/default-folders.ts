import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { AppError, messageOf } from "../../shared/basics/errors.ts";

/** The only folder that jobs may use until somebody names others. It is created for this, so it holds nothing private. */
export const defaultMediaFolder = (home: string): string => join(home, "Mediafarm");

/** The same data folder as `mediafarm up`: one farm, however it is started. */
export const defaultDataFolder = (home: string): string => join(home, ".mediafarm");

export const makeMediaFolder = (home: string): string => {
  const folder = defaultMediaFolder(home);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new AppError("UNAVAILABLE", `The media folder ${folder} cannot be created: ${messageOf(cause)}`, { cause });
  }
  return folder;
};
