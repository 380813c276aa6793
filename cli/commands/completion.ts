import { type CommandEntry, loadCommand, type ParsedCommand } from "../command/command.ts";
import { completionScript, shells } from "../command/completion.ts";
import { UsageError } from "../terminal/flags.ts";

/** A shell's completion script, generated from the table of commands. */
export const completionOf = (commands: readonly CommandEntry[]): ParsedCommand => ({
  flags: {},
  offers: shells,
  examples: [
    ["source <(mediafarm completion bash)", "for this shell; add the line to ~/.bashrc for all shells"],
    ["mediafarm completion fish > ~/.config/fish/completions/mediafarm.fish", "for all fish shells"],
  ],
  run: async ({ positionals, output }) => {
    const shell = shells.find((each) => each === positionals[0]);
    if (!shell || positionals.length > 1) throw new UsageError(`completion takes one of ${shells.join(", ")}`);
    const script = completionScript(shell, await Promise.all(commands.map(loadCommand)));
    output.answer({ shell, script }, script);
    return 0;
  },
});
