import { AppError } from "./errors.ts";

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

/** The level in `MEDIAFARM_LOG`, or the default. Throws AppError for an unknown level. */
export const logLevelFrom = (env: Readonly<Record<string, string | undefined>>, otherwise: LogLevel): LogLevel => {
  const word = env.MEDIAFARM_LOG;
  if (word === undefined || word === "") return otherwise;
  const level = logLevels.find((each) => each === word);
  if (level) return level;
  const message = `MEDIAFARM_LOG is "${word.slice(0, 40)}", but must be one of ${logLevels.join(", ")}`;
  throw new AppError("VALIDATION_FAILED", message);
};
