import type { Command, ParsedCommand } from "../command.ts";

/** Only the table entry: help is printed before a command is looked up. */
export const help = (commands: () => readonly Command[]): ParsedCommand => ({
  name: "help",
  words: "[COMMAND]",
  summary: "Show all commands, or one with its flags and examples.",
  flags: {},
  get offers() {
    return commands().map(({ name }) => name);
  },
  examples: [
    ["mediafarm help", "lists all commands"],
    ["mediafarm help submit", "explains one"],
  ],
  run: async () => 0,
});
