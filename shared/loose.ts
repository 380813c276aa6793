import { z } from "zod";

/**
 * Job JSON comes from many hands: numbers arrive as "6", booleans as "true" after a definition was filled in.
 * These schemas take both and give the real type. Our own doors do not use them.
 */
const numeric = (value: unknown): unknown =>
  typeof value === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;

export const looseNumber = (min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY) =>
  z.preprocess(numeric, z.number().min(min).max(max));

export const looseInteger = (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(numeric, z.number().int().min(min).max(max));

export const looseBoolean = () =>
  z.preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean());

/** A frame rate, an aspect ratio, a level: number or text, given as text. */
export const numberOrText = () => z.union([z.number(), z.string().max(64)]).transform(String);
