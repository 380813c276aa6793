import { type ParsedCommand, UsageError } from "../command.ts";

/** What jobs may reach over the network from every node: listed, added, taken away. */
export const outbound: ParsedCommand = {
  name: "outbound",
  words: "[add RULE... | remove RULE...]",
  summary: "Show or change what jobs may reach over the network from every node.",
  details:
    "Nodes reach public addresses only, for notifications and storage alike. A rule adds a host name, *.a-domain, an address or a network such as 10.0.0.0/8, each with a :port if wanted: your NAS, your S3 server. Metadata services of cloud providers need a rule with exactly their address. A node's own --allow-outbound counts beside these.",
  flags: {},
  offers: ["add", "remove"],
  examples: [
    ["mediafarm outbound add nas.studio.lan 10.1.0.0/16", "a host at any address, and a network"],
    ["mediafarm outbound remove 10.1.0.0/16", "takes it away everywhere"],
  ],
  run: async ({ positionals: [verb, ...rules], output, client: open }) => {
    if (verb !== undefined && verb !== "add" && verb !== "remove")
      throw new UsageError(`outbound knows add and remove, not "${verb}"`);
    if (verb !== undefined && rules.length === 0) throw new UsageError(`outbound ${verb} takes at least one RULE`);
    const client = open();
    const { items } =
      verb === undefined ? await client.listOutbound({}) : await client.changeOutbound({ [verb]: [...rules] });
    if (output.isJson) for (const rule of items) output.json({ rule });
    else if (items.length > 0) output.text(`${items.join("\n")}\n`);
    else output.problem("The farm allows nothing beside public addresses. Allow more: mediafarm outbound add HOST");
    return 0;
  },
};
