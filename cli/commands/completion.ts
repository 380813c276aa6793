import { type Command, type ParsedCommand, UsageError } from "../command.ts";
import { completionScript, shells } from "../completion.ts";

/** A shell's script, made from the table that this verb is a part of. */
export const completionOf = (commands: () => readonly Command[]): ParsedCommand => ({
  name: "completion",
  words: shells.join("|"),
  summary: "Print the script that lets a shell complete verbs, flags and their values.",
  flags: {},
  offers: shells,
  examples: [
    ["source <(mediafarm completion bash)", "for this bash; put the line into ~/.bashrc for every one"],
    ["mediafarm completion fish > ~/.config/fish/completions/mediafarm.fish", "for every fish"],
  ],
  run: async ({ positionals, output }) => {
    const shell = shells.find((each) => each === positionals[0]);
    if (!shell || positionals.length > 1) throw new UsageError(`completion takes one of ${shells.join(", ")}`);
    const script = completionScript(shell, commands());
    if (output.isJson) output.json({ shell, script });
    else output.text(script);
    return 0;
  },
});
