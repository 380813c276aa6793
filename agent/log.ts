import type { Clock } from "../shared/basics/clock.ts";
import { type LogLevel, logLevels } from "../shared/basics/log-level.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Writes one line of JSON per event. */
export type Log = { readonly [L in LogLevel]: (message: string, fields?: Fields) => void } & {
  /** A log that adds the fields to each of its lines. */
  child(fields: Fields): Log;
};

export type LogOptions = {
  readonly level: LogLevel;
  readonly clock: Clock;
  readonly write: (line: string) => void;
};

export const createLog = (options: LogOptions, always: Fields = {}): Log => {
  const at =
    (level: LogLevel) =>
    (message: string, fields: Fields = {}): void => {
      if (logLevels.indexOf(level) < logLevels.indexOf(options.level)) return;
      const time = new Date(options.clock.now()).toISOString();
      options.write(`${JSON.stringify({ time, level, message, ...always, ...fields }, readable)}\n`);
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => createLog(options, { ...always, ...fields }),
  };
};

const secretNames = new Set(["joinToken", "secret", "nodeKey", "credentials", "password"]);

/** Removes secrets, and writes an Error in full instead of `{}`. */
const readable = (key: string, value: unknown): unknown => {
  if (secretNames.has(key) && value !== undefined) return "[secret]";
  return value instanceof Error ? (value.stack ?? value.message) : value;
};

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};
