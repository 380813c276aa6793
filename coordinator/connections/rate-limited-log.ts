import type { Clock } from "../../shared/basics/clock.ts";
import type { Log } from "../log.ts";

const windowMs = 60_000;
/** Lines per minute; further ones are counted. */
export const mostLines = 20;

export type RateLimitedLog = (fields: object, message: string) => void;

/** Warnings about unauthenticated clients, who must not fill the disk: a few lines a minute, then only a count. */
export const createRateLimitedLog = (log: Pick<Log, "warn">, clock: Clock): RateLimitedLog => {
  let until = 0;
  let [written, omitted] = [0, 0];
  return (fields, message) => {
    const now = clock.monotonic();
    if (now >= until) {
      if (omitted > 0) log.warn({ omitted }, `${omitted} warnings about strangers were left out`);
      until = now + windowMs;
      written = 0;
      omitted = 0;
    }
    if (written < mostLines) log.warn(fields, message.slice(0, 500));
    else omitted += 1;
    written += 1;
  };
};
