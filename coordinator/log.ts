import type { FastifyBaseLogger } from "fastify";
import { type DestinationStream, type LoggerOptions, pino } from "pino";
import { logLevelFrom } from "../shared/basics/log-level.ts";

/** Other parts use the server's own logger: JSON lines on stderr, one set of levels. */
export type Log = FastifyBaseLogger;

/** The log level: `MEDIAFARM_LOG`, or only what needs attention. */
export const logLevelOf = (env: Readonly<Record<string, string | undefined>>): string => logLevelFrom(env, "warn");

/** The coordinator's log. Its lines have the fields of `shared/texts/log-fields.ts`, as those of agents. */
export const openLog = (level: string, to: DestinationStream = pino.destination(2)): Log => pino(form(level), to);

const form = (level: string): LoggerOptions => ({
  level,
  base: { part: "coordinator" },
  messageKey: "message",
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: {
    level: (label) => ({ level: label }),
    log: ({ err, ...fields }) => (err === undefined ? fields : { ...fields, error: err }),
  },
  serializers: { error: inFull, err: inFull },
});

/** An Error alone would be `{}`. */
function inFull(problem: unknown): unknown {
  return problem instanceof Error ? (problem.stack ?? problem.message) : problem;
}
