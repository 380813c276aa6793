import type { FastifyBaseLogger } from "fastify";
import { logLevelFrom } from "../shared/log-level.ts";

/** The server's own logger serves the rest as well: JSON lines on stderr, one set of levels. */
export type Log = FastifyBaseLogger;

/** How much the log says: `MEDIAFARM_LOG`, or what needs somebody. */
export const logLevelOf = (env: Readonly<Record<string, string | undefined>>): string => logLevelFrom(env, "warn");
