import { tagsIn } from "../../shared/basics/tags.ts";

/** What the flags of a call say. */
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** One flag; parsing, help and completion use it. */
export type Flag = {
  readonly type: "string" | "boolean";
  readonly multiple?: true;
  /** Its one-letter form, with one dash. */
  readonly short?: string;
  /** The placeholder for the value in the usage, such as `DIR`. */
  readonly value?: string;
  /** One sentence. */
  readonly help: string;
  /** The default, in words. */
  readonly default?: string;
  /** Completions for the value: these words, folders or files. */
  readonly offers?: readonly string[] | "folders" | "files";
};
export type Flags = Readonly<Record<string, Flag>>;

/** Wrong arguments: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const textFlag = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
};

export const textsFlag = (values: Values, name: string): string[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
};

/** A flag's whole number, or undefined if the flag is absent. */
export const numberFlag = (values: Values, flag: string, max: number): number | undefined => {
  const text = textFlag(values, flag);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new UsageError(`--${flag} takes a whole number from 0 to ${max}, not "${text}"`);
};

/** One of a flag's words. */
export const parseChoice = <T extends string>(flag: string, text: string, choices: readonly T[]): T => {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${flag} is one of ${choices.join(", ")}, not "${text}"`);
};

/** A flag's tags. */
export const tagsFlag = (values: Values, flag: string): string[] | undefined => {
  const text = textFlag(values, flag);
  return text === undefined ? undefined : tagsIn(text);
};
