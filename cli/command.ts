import type { ParseArgsOptionsConfig } from "node:util";
import type { Output } from "./output.ts";

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

type Described = { readonly name: string; readonly usage: string; readonly summary: string };

/** One verb of the command line. */
export type Command = ParsedCommand | PassedOnCommand;

/** A verb that reads its own words. */
export type PassedOnCommand = Described & { readonly passOn: (argv: readonly string[]) => Promise<number> };

export type ParsedCommand = Described & {
  readonly options: ParseArgsOptionsConfig;
  /** What is wrong with the words that are no options, if anything. */
  readonly check?: (positionals: readonly string[]) => string | undefined;
  /** Resolves with the exit status. Throws AppError for what a person can act on. */
  readonly run: (call: {
    readonly values: Values;
    readonly positionals: readonly string[];
    readonly output: Output;
  }) => Promise<number>;
};

export const textOf = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === "string" ? value : undefined;
};

export const textsOf = (values: Values, name: string): string[] => {
  const value = values[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
};
