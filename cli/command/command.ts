import type { Client } from "../../shared/api/client.ts";
import type { Machine } from "../farms/machine.ts";
import type { Flags, Values } from "../terminal/flags.ts";
import type { Output } from "../terminal/output.ts";
import type { World } from "../terminal/world.ts";

/** The line of a command in the list of commands. */
type Listed = {
  readonly name: string;
  /** The positional arguments as shown in the usage, such as `FILE|-`. */
  readonly words: string;
  /** One sentence. */
  readonly summary: string;
};

export type CommandEntry = Listed & {
  /** The rest of it, loaded when it is used or explained. */
  readonly load: () => Promise<ParsedCommand | PassedOnCommand>;
};

/** One whole command. */
export type Command = Listed & (ParsedCommand | PassedOnCommand);

export const loadCommand = async ({ load, ...listed }: CommandEntry): Promise<Command> => ({
  ...(await load()),
  ...listed,
});

type Described = {
  readonly details?: string;
  readonly flags: Flags;
  /** Example command lines and what they do. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** Completions for the positional arguments. */
  readonly offers?: readonly string[] | "files";
  /** Exit statuses beyond the common ones. */
  readonly exits?: readonly string[];
};

/** A command that parses its own arguments. */
export type PassedOnCommand = Described & { readonly passOn: (argv: readonly string[]) => Promise<number> };

export type ParsedCommand = Described & {
  /** What is wrong with the positional arguments, if anything. */
  readonly check?: (positionals: readonly string[]) => string | undefined;
  /** Resolves with the exit status. Throws AppError for errors a person can fix, UsageError for wrong arguments. */
  readonly run: (call: Call) => Promise<number>;
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

/** What is wrong where a command takes no words. */
export const nothing =
  (verb: string, hint = "") =>
  ([word]: readonly string[]): string | undefined =>
    word === undefined ? undefined : `${verb} takes no "${word}"${hint}`;

export const exactly =
  (count: number, verb: string, what: string) =>
  (positionals: readonly string[]): string | undefined =>
    positionals.length === count ? undefined : `${verb} takes ${what}`;
