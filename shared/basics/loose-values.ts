import { z } from "zod";

/**
 * Job JSON comes from many sources: numbers arrive as "6", booleans as "true" after a definition was filled in. These
 * schemas accept both and return the real type. Our own routes do not use them.
 */
export const numeric = (value: unknown): unknown =>
  typeof value === "string" && /^\s*[-+]?(\d+(\.\d*)?|\.\d+)\s*$/.test(value) ? Number(value) : value;

export const looseNumber = (min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY) =>
  z.preprocess(numeric, z.number().min(min).max(max));

export const looseInteger = (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) =>
  z.preprocess(numeric, z.number().int().min(min).max(max));

export const looseBoolean = () =>
  z.preprocess((value) => (value === "true" ? true : value === "false" ? false : value), z.boolean());

/** A frame rate, aspect ratio or level: a number or a text, returned as text. */
export const numberOrText = () => z.union([z.number(), z.string().max(64)]).transform(String);

/** One value, or a list of values. */
export const oneOrMany = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).max(100)]);

/**
 * An object whose other fields belong to somebody else (a storage provider, a tool): they are kept without a warning.
 * Fields that a `looseObject` does not name are also kept, but reported as unknown.
 */
export const openObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.object(shape).catchall(z.any());

/** A list of so many entries at most: everything from outside has a bound. */
export const listOf = <T extends z.ZodType>(item: T, most: number) => z.array(item).max(most);

/** An object that may be absent, and that may have fields which it does not name. */
export const optionalObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.looseObject(shape).optional();
