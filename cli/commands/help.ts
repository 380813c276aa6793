import type { CommandEntry, ParsedCommand } from "../command/command.ts";

/** Only the table entry: help is printed before a command is looked up. */
export const help = (commands: readonly CommandEntry[]): ParsedCommand => ({
  flags: {},
  offers: commands.map(({ name }) => name),
  examples: [
    ["mediafarm help", "lists all commands"],
    ["mediafarm help submit", "explains one"],
  ],
  run: async () => 0,
});
