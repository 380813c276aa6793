import type { PassedOnCommand } from "../command.ts";
import { agentFlags } from "../farm-flags.ts";

/** A node of a farm that runs elsewhere. */
export const agent: PassedOnCommand = {
  name: "agent",
  words: "",
  summary: "Lend this machine to a farm that runs elsewhere.",
  details:
    'The farm shows its join token when it starts ("mediafarm up"); it is needed once, then the node holds a key of its own. With --json a line {"event":"connected","node_id"} comes at every connection.',
  flags: {
    join: {
      type: "string",
      value: "TOKEN",
      help: "The token that the farm shows.",
      default: "MEDIAFARM_JOIN_TOKEN, or the farm that this machine joined before",
    },
    data: {
      type: "string",
      value: "DIR",
      offers: "folders",
      help: "Where the agent keeps its key, its reports and what it is making.",
      default: "a folder of this user's data",
    },
    ...agentFlags,
  },
  examples: [
    ["mediafarm agent --join mfj1_… --root ~/media", "joins the farm; its jobs may use this folder"],
    ["mediafarm agent --root ~/media --slots 1 --tags gpu", "comes back to the same farm with one slot and a tag"],
  ],
  // Loaded only here: the other verbs are quicker without it.
  passOn: async (argv) => (await import("../../agent/main.ts")).runAgentProcess(argv),
};
