import { nothing, type ParsedCommand } from "../../command/command.ts";
import { nodeColumns } from "./node-table.ts";

/** The nodes of the farm. */
export const nodes: ParsedCommand = {
  flags: {},
  examples: [
    ["mediafarm nodes", "prints a table of all nodes"],
    ['mediafarm nodes --json | grep \'"presence":"lost"\'', "lists lost nodes"],
  ],
  check: nothing("nodes", "; see: node ID"),
  run: async ({ output, client }) => {
    const { items } = await client().listNodes({});
    const empty = 'There are no nodes yet. Add one: "mediafarm agent --join TOKEN" with the token that the farm shows';
    output.list(items, nodeColumns(output.paint), empty);
    return 0;
  },
};
