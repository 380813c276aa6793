import type { ParsedCommand } from "../../command/command.ts";
import { dataFolderOf } from "../../farms/chosen-farm.ts";
import { renewOapi } from "../../farms/credentials.ts";
import { UsageError } from "../../terminal/flags.ts";

/** The account's OAPI pair. */
export const account: ParsedCommand = {
  details:
    "renew creates a new pair. The old one stops working at once, and every API client needs the new one. This user's own commands get it automatically.",
  flags: {},
  offers: ["secret", "renew"],
  examples: [
    ["mediafarm account secret", "prints the OAPI key and secret for API clients"],
    ["mediafarm account renew", "replaces the pair, for example if the old one was leaked"],
  ],
  check: ([verb, ...words]) => (words.length > 0 ? `account ${verb} takes nothing more, not "${words[0]}"` : undefined),
  run: async ({ positionals: [verb], values, output, world, machine }) => {
    if (verb !== undefined && verb !== "secret" && verb !== "renew")
      throw new UsageError(`account knows secret and renew, not "${verb}"`);
    const { request } = machine();
    if (verb === undefined) {
      const found = await request("getAccount", {});
      output.answer(found, `OAPI key  ${found.oapi_key}\nMade      ${found.renewed ?? found.created}\n`);
      return 0;
    }
    const pair = await request(verb === "secret" ? "showOapiPair" : "renewOapiPair", {});
    if (verb === "renew") renewOapi(world.env, dataFolderOf(values, world.env), pair);
    output.answer(pair, `OAPI key     ${pair.oapi_key}\nOAPI secret  ${pair.oapi_secret}\n`);
    return 0;
  },
};
