import type { FastifyBaseLogger } from "fastify";

/** The server's own logger serves the rest as well: JSON lines on stderr, one set of levels. */
export type Log = FastifyBaseLogger;

const levels = ["debug", "info", "warn", "error"];

/** How much the log says: `MEDIAFARM_LOG`, or what needs somebody. */
export const logLevelOf = (env: Readonly<Record<string, string | undefined>>): string =>
  levels.find((level) => level === env.MEDIAFARM_LOG) ?? "warn";
