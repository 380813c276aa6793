import { type ParsedCommand, UsageError } from "../command.ts";
import { openMachine } from "../machine.ts";

/** What lets new nodes in. */
export const joinToken: ParsedCommand = {
  name: "join-token",
  words: "[renew]",
  summary: "Show what lets new nodes in, or make it anew, on the coordinator's own machine.",
  details:
    "renew makes a new token: the old one lets nobody in from that moment on. Nodes that have joined have keys of their own and stay.",
  flags: {},
  offers: ["renew"],
  examples: [
    ["mediafarm join-token", "the token, for mediafarm agent --join"],
    ["mediafarm join-token renew", "a new one, for when somebody has the old one who should not"],
  ],
  check: ([verb, ...words]) =>
    words.length > 0 ? `join-token ${verb} takes nothing more, not "${words[0]}"` : undefined,
  run: async ({ positionals: [verb], values, output, world }) => {
    if (verb !== undefined && verb !== "renew") throw new UsageError(`join-token knows renew, not "${verb}"`);
    const { request } = openMachine(values, world.env);
    const found = await request(verb === "renew" ? "renewJoinToken" : "showJoinToken", {});
    if (output.isJson) output.json(found);
    else output.text(`${found.join_token}\n`);
    return 0;
  },
};
