import { type Command, type ParsedCommand, UsageError } from "../command.ts";
import { completionScript, shells } from "../completion.ts";

/** A shell's completion script, generated from the table of commands. */
export const completionOf = (commands: () => readonly Command[]): ParsedCommand => ({
  name: "completion",
  words: shells.join("|"),
  summary: "Print a shell completion script for commands, flags and their values.",
  flags: {},
  offers: shells,
  examples: [
    ["source <(mediafarm completion bash)", "for this shell; add the line to ~/.bashrc for all shells"],
    ["mediafarm completion fish > ~/.config/fish/completions/mediafarm.fish", "for all fish shells"],
  ],
  run: async ({ positionals, output }) => {
    const shell = shells.find((each) => each === positionals[0]);
    if (!shell || positionals.length > 1) throw new UsageError(`completion takes one of ${shells.join(", ")}`);
    const script = completionScript(shell, commands());
    output.answer({ shell, script }, script);
    return 0;
  },
});
