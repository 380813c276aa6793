import { accessSync, constants, mkdirSync } from "node:fs";
import { AppError, messageOf } from "../../shared/basics/errors.ts";

/** Makes a coordinator's data folder, for its user alone. Throws AppError if it cannot be used. */
export const prepareFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new AppError("UNAVAILABLE", `The data folder ${folder} cannot be written: ${messageOf(cause)}`, { cause });
  }
};
