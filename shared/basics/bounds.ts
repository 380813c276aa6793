import { z } from "zod";

/**
 * How large what others say may be: every number, text and list of an agent's message has such a bound, which
 * test/shared/protocol/bounds.test.ts checks for all schemas.
 */

/** What a file, a tool or a system calls itself. */
export const foreignText = z.string().max(64_000);
/** Addresses and paths, signed ones too. */
export const addressText = z.string().max(16_000);
/** Ids that a job's author or a plan gave. */
export const keyText = z.string().max(4000);
/** Bytes, milliseconds, counts. */
export const amount = z.number().nonnegative().max(Number.MAX_SAFE_INTEGER);
/** What an instrument shows. */
export const measured = z.number().min(-1e15).max(1e15);
/** Unix milliseconds, within the range of a date. */
export const instant = z.number().min(-8.64e15).max(8.64e15);

/** A record of at most so many entries. */
export const recordOf = <V extends z.ZodType>(value: V, most: number, key = keyText) =>
  z.record(key, value).refine((record) => Object.keys(record).length <= most, `must have at most ${most} entries`);
