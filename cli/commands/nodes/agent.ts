import type { PassedOnCommand } from "../../command/command.ts";
import { agentFlags } from "../../local-farm/agent-flags.ts";

/** A node of a farm on another machine. */
export const agent: PassedOnCommand = {
  details:
    'The farm prints its join token when it starts ("mediafarm up"). It is needed once; then the node has its own key. With --json it prints {"event":"connected","node_id"} at every connection.',
  flags: {
    join: {
      type: "string",
      value: "TOKEN",
      help: "The join token that the farm shows.",
      default: "MEDIAFARM_JOIN_TOKEN, or the farm this machine joined before",
    },
    data: {
      type: "string",
      value: "DIR",
      offers: "folders",
      help: "Where the agent keeps its key, its reports and unfinished work.",
      default: "a folder of this user's data",
    },
    ...agentFlags,
  },
  examples: [
    ["mediafarm agent --join mfj1_… --root ~/media", "joins the farm; jobs may use this folder"],
    ["mediafarm agent --root ~/media --slots 1 --tags gpu", "reconnects to the same farm with one slot and a tag"],
  ],
  // Loaded only here, so that the other commands start faster.
  passOn: async (argv) => (await import("../../../agent/main.ts")).runAgentProcess(argv),
};
