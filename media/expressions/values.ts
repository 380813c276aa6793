/**
 * The possible values of an expression. Undefined means unknown: a missing path, a division by zero, a sum of things
 * that cannot be added.
 */
export type Value = number | string | boolean | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Converts an outside value. Functions, non-finite numbers and everything with its own prototype have no value. */
export const asValue = (found: unknown): Value | undefined => {
  if (typeof found === "string" || typeof found === "boolean") return found;
  if (typeof found === "number") return Number.isFinite(found) ? found : undefined;
  if (Array.isArray(found)) return found;
  return isRecord(found) ? found : undefined;
};

const isRecord = (found: unknown): found is Record<string, unknown> => {
  if (typeof found !== "object" || found === null) return false;
  const prototype = Object.getPrototypeOf(found);
  return prototype === Object.prototype || prototype === null;
};

/** A value's own field; inherited ones cannot be reached. */
export const fieldOf = (value: Value | undefined, name: string): Value | undefined => {
  if (typeof value === "string") return name === "length" ? value.length : undefined;
  if (typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
  return asValue(Reflect.get(value, name));
};

/** An entry of a list or a character of a text, counted from 0; a text as the index is a field's name. */
export const itemOf = (value: Value | undefined, index: Value | undefined): Value | undefined => {
  if (typeof index === "string") return fieldOf(value, index);
  if (typeof index !== "number" || !Number.isInteger(index) || index < 0) return undefined;
  return typeof value === "string" ? value[index] : fieldOf(value, String(index));
};

const decimal = /^\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*$/;

/** A number, or a text that looks like one: values of jobs arrive as texts if a definition was filled in. */
export const numberOf = (value: Value | undefined): number | undefined => {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.length < 100 && decimal.test(value) ? Number(value) : undefined;
};

/** Whether a value counts as true: false, 0, an empty text and an empty list do not. */
export const isTrue = (value: Value): boolean => {
  if (typeof value === "object") return !Array.isArray(value) || value.length > 0;
  return Boolean(value);
};
