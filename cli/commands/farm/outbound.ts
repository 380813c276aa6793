import type { ParsedCommand } from "../../command/command.ts";
import { runSubcommand, some } from "../../command/subcommands.ts";
import type { Output } from "../../terminal/output.ts";

/** Lists, adds and removes what jobs may reach over the network from every node. */
export const outbound: ParsedCommand = {
  details:
    "Nodes reach public addresses only, for notifications and storage alike. A rule adds a host name, *.a-domain, an address or a network such as 10.0.0.0/8, each with a :port if wanted: your NAS, your S3 server. Metadata services of cloud providers need a rule with exactly their address. A node's own --allow-outbound counts beside these.",
  flags: {},
  offers: ["add", "remove"],
  examples: [
    ["mediafarm outbound add nas.studio.lan 10.1.0.0/16", "a host at any address, and a network"],
    ["mediafarm outbound remove 10.1.0.0/16", "takes it away everywhere"],
  ],
  run: (call) =>
    runSubcommand("outbound", call, verbs, async ({ client, output }) =>
      tell((await client().listOutbound({})).items, output),
    ),
};

const changing = (what: "add" | "remove") =>
  some("RULE", async ({ client, output }, rules) =>
    tell((await client().changeOutbound({ [what]: [...rules] })).items, output),
  );

const verbs = { add: changing("add"), remove: changing("remove") };

const tell = (rules: readonly string[], output: Output): void => {
  if (output.isJson) for (const rule of rules) output.json({ rule });
  else if (rules.length > 0) output.text(`${rules.join("\n")}\n`);
  else output.problem("The farm allows nothing beside public addresses. Allow more: mediafarm outbound add HOST");
};
