import { UsageError } from "../terminal/flags.ts";
import type { Call } from "./command.ts";

/** What a command does with what it lists, such as `set` or `remove`. */
export type Subcommand = {
  /** The words that follow it, as people read it. */
  readonly takes: string;
  readonly fits: (words: number) => boolean;
  /** May resolve with an exit status; 0 otherwise. */
  readonly run: (call: Call, words: readonly string[]) => Promise<unknown>;
};

/** A verb that takes exactly one word. */
export const one = (takes: string, run: (call: Call, word: string) => Promise<unknown>): Subcommand => ({
  takes: `one ${takes}`,
  fits: (words) => words === 1,
  run: (call, [word = ""]) => run(call, word),
});

/** A verb that takes at least one word. */
export const some = (takes: string, run: Subcommand["run"]): Subcommand => ({
  takes: `at least one ${takes}`,
  fits: (words) => words > 0,
  run,
});

/** Runs the verb that a command line names; without one, lists. Throws UsageError for wrong words. */
export const runSubcommand = async (
  command: string,
  call: Call,
  verbs: Readonly<Record<string, Subcommand>>,
  list: (call: Call) => Promise<void>,
): Promise<number> => {
  const [name, ...words] = call.positionals;
  if (name === undefined) {
    await list(call);
    return 0;
  }
  const names = Object.keys(verbs);
  const verb = names.includes(name) ? verbs[name] : undefined;
  if (!verb) throw new UsageError(`${command} knows ${names.join(names.length === 2 ? " and " : ", ")}, not "${name}"`);
  if (!verb.fits(words.length)) throw new UsageError(`${command} ${name} takes ${verb.takes}`);
  const status = await verb.run(call, words);
  return typeof status === "number" ? status : 0;
};
