import type { Node } from "../../shared/node.ts";
import type { ParsedCommand } from "../command.ts";
import { nodeTable } from "../node-table.ts";

/** The nodes of the farm. */
export const nodes: ParsedCommand = {
  name: "nodes",
  words: "",
  summary: "List the farm's nodes: connection, state and running tasks.",
  flags: {},
  examples: [
    ["mediafarm nodes", "prints a table of all nodes"],
    ['mediafarm nodes --json | grep \'"presence":"lost"\'', "lists lost nodes"],
  ],
  check: (positionals) => (positionals.length > 0 ? `nodes takes no "${positionals[0]}"; see: node ID` : undefined),
  run: async ({ output, client }) => {
    const { items } = await client().listNodes({});
    if (output.isJson) for (const each of items satisfies Node[]) output.json(each);
    else if (items.length > 0) output.text(nodeTable(items, output));
    else
      output.problem(
        'There are no nodes yet. Add one: "mediafarm agent --join TOKEN" with the token that the farm shows',
      );
    return 0;
  },
};
