import type { Client } from "../shared/client.ts";
import type { Clock } from "../shared/clock.ts";
import { tagsIn } from "../shared/tags.ts";
import type { Environment } from "./credentials.ts";
import type { Machine } from "./machine.ts";
import type { Output } from "./output.ts";

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

type Described = {
  readonly name: string;
  /** The positional arguments as shown in the usage, such as `FILE|-`. */
  readonly words: string;
  /** One sentence. */
  readonly summary: string;
  readonly details?: string;
  readonly flags: Flags;
  /** Example command lines and what they do. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Completions for the positional arguments. */
  readonly offers?: readonly string[] | "files";
  /** Exit statuses beyond the common ones. */
  readonly exits?: readonly string[];
};

/** One command. */
export type Command = ParsedCommand | PassedOnCommand;

/** A command that parses its own arguments. */
export type PassedOnCommand = Described & { readonly passOn: (argv: readonly string[]) => Promise<number> };

export type ParsedCommand = Described & {
  /** What is wrong with the positional arguments, if anything. */
  readonly check?: (positionals: readonly string[]) => string | undefined;
  /** Resolves with the exit status. Throws AppError for errors a person can fix, UsageError for wrong arguments. */
  readonly run: (call: Call) => Promise<number>;
};

/** The environment of a command; tests pass their own. */
export type World = {
  readonly env: Environment;
  readonly clock: Clock;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  readonly stdin: () => Promise<string>;
  /** Aborted by Ctrl-C. Until a command requests it, Ctrl-C ends the program at once. */
  readonly interrupted: () => AbortSignal;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** A closed output pipe ends the program, unless it does more than print. */
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
  /** The farm named by the environment or the user's configuration. */
  readonly client: () => Client;
  /** The farm on this machine, as its owner. */
  readonly machine: () => Machine;
};

/** Wrong arguments: exit status 2. */
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

/** A flag's whole number, or undefined if the flag is absent. */
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

/** What is wrong where a command takes no words. */
export const nothing =
  (verb: string, hint = "") =>
  ([word]: readonly string[]): string | undefined =>
    word === undefined ? undefined : `${verb} takes no "${word}"${hint}`;

export const exactly =
  (count: number, verb: string, what: string) =>
  (positionals: readonly string[]): string | undefined =>
    positionals.length === count ? undefined : `${verb} takes ${what}`;
