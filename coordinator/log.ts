import type { FastifyBaseLogger } from "fastify";
import { logLevelFrom } from "../shared/basics/log-level.ts";

/** Other parts use the server's own logger: JSON lines on stderr, one set of levels. */
export type Log = FastifyBaseLogger;

/** The log level: `MEDIAFARM_LOG`, or only what needs attention. */
export const logLevelOf = (env: Readonly<Record<string, string | undefined>>): string => logLevelFrom(env, "warn");
