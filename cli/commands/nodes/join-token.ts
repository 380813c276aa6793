import type { ParsedCommand } from "../../command/command.ts";
import { UsageError } from "../../terminal/flags.ts";

/** The join token for new nodes. */
export const joinToken: ParsedCommand = {
  details:
    "renew creates a new token, and the old one stops working at once. Nodes that have joined have their own keys and stay.",
  flags: {},
  offers: ["renew"],
  examples: [
    ["mediafarm join-token", "prints the token for mediafarm agent --join"],
    ["mediafarm join-token renew", "replaces it, for example if the old one was leaked"],
  ],
  check: ([verb, ...words]) =>
    words.length > 0 ? `join-token ${verb} takes nothing more, not "${words[0]}"` : undefined,
  run: async ({ positionals: [verb], output, machine }) => {
    if (verb !== undefined && verb !== "renew") throw new UsageError(`join-token knows renew, not "${verb}"`);
    const found = await machine().request(verb === "renew" ? "renewJoinToken" : "showJoinToken", {});
    output.answer(found, `${found.join_token}\n`);
    return 0;
  },
};
