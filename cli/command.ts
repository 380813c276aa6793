import type { Client } from "../shared/client.ts";
import type { Clock } from "../shared/clock.ts";
import { tagsIn } from "../shared/tags.ts";
import type { Environment } from "./credentials.ts";
import type { Output } from "./output.ts";

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** One flag: parsing, help and completion are made from it. */
export type Flag = {
  readonly type: "string" | "boolean";
  readonly multiple?: true;
  /** One letter that stands for it, behind one dash. */
  readonly short?: string;
  /** What stands for the value in the usage: `DIR`. */
  readonly value?: string;
  /** One sentence. */
  readonly help: string;
  /** What holds without the flag, in words. */
  readonly default?: string;
  /** What a shell offers for the value: these words, folders or files. */
  readonly offers?: readonly string[] | "folders" | "files";
};
export type Flags = Readonly<Record<string, Flag>>;

type Described = {
  readonly name: string;
  /** The words that are no flags, as the usage shows them: `FILE|-`. */
  readonly words: string;
  /** One sentence. */
  readonly summary: string;
  readonly details?: string;
  readonly flags: Flags;
  /** A command line and what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** What a shell offers for the words that are no flags. */
  readonly offers?: readonly string[] | "files";
  /** Exit statuses beyond the common ones. */
  readonly exits?: readonly string[];
};

/** One verb of the command line. */
export type Command = ParsedCommand | PassedOnCommand;

/** A verb that reads its own words. */
export type PassedOnCommand = Described & { readonly passOn: (argv: readonly string[]) => Promise<number> };

export type ParsedCommand = Described & {
  /** What is wrong with the words that are no flags, if anything. */
  readonly check?: (positionals: readonly string[]) => string | undefined;
  /** Resolves with the exit status. Throws AppError for what a person can act on, UsageError for wrong words. */
  readonly run: (call: Call) => Promise<number>;
};

/** What a command has of the outside; tests bring their own. */
export type World = {
  readonly env: Environment;
  readonly clock: Clock;
  /** 0 to 1, by chance. */
  readonly random: () => number;
  readonly stdin: () => Promise<string>;
  /** Aborted at Ctrl-C; until it is asked for, Ctrl-C ends the program at once. */
  readonly interrupted: () => AbortSignal;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** A reader that went away ends the program, unless it has more to do than to answer. */
  readonly outliveReader: () => void;
};

export type Stream = {
  readonly write: (text: string) => void;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
};

export type Call = {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly output: Output;
  readonly world: World;
  /** The farm that the environment or the user's configuration names. */
  readonly client: () => Client;
};

/** The words make no sense: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const textOf = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
};

export const textsOf = (values: Values, name: string): string[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
};

/** A whole number of a flag, or undefined where it was not given. */
export const numberOf = (values: Values, flag: string, max: number): number | undefined => {
  const text = textOf(values, flag);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new UsageError(`--${flag} takes a whole number from 0 to ${max}, not "${text}"`);
};

/** One of a flag's words. */
export const choiceOf = <T extends string>(flag: string, text: string, choices: readonly T[]): T => {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${flag} is one of ${choices.join(", ")}, not "${text}"`);
};

/** A flag's tags. */
export const tagsOf = (values: Values, flag: string): string[] | undefined => {
  const text = textOf(values, flag);
  return text === undefined ? undefined : tagsIn(text);
};

export const exactly =
  (count: number, verb: string, what: string) =>
  (positionals: readonly string[]): string | undefined =>
    positionals.length === count ? undefined : `${verb} takes ${what}`;
