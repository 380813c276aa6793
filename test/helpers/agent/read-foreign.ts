import { createForeignThreads } from "../../../agent/foreign/pool.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";

/** Reads foreign bytes as an agent does. */
export const readForeign = createForeignThreads(systemClock).read;
