import type { FastifyBaseLogger } from "fastify";

/** The server's own logger serves the rest as well: JSON lines on stderr, one set of levels. */
export type Log = FastifyBaseLogger;
