import { type ParsedCommand, UsageError } from "../command.ts";
import { renewOapi } from "../credentials.ts";
import { dataFolderOf, openMachine } from "../machine.ts";

/** The account's OAPI pair. */
export const account: ParsedCommand = {
  name: "account",
  words: "[secret | renew]",
  summary: "Show the account's OAPI key, its secret, or make both anew, on the coordinator's own machine.",
  details:
    "renew makes a new pair: the old one opens nothing from that moment on, and every client of the API needs the new one. This user's own commands are told.",
  flags: {},
  offers: ["secret", "renew"],
  examples: [
    ["mediafarm account secret", "the OAPI key and secret, as clients of the API need them"],
    ["mediafarm account renew", "a new pair, for when the old one became known"],
  ],
  check: ([verb, ...words]) => (words.length > 0 ? `account ${verb} takes nothing more, not "${words[0]}"` : undefined),
  run: async ({ positionals: [verb], values, output, world }) => {
    if (verb !== undefined && verb !== "secret" && verb !== "renew")
      throw new UsageError(`account knows secret and renew, not "${verb}"`);
    const { request } = openMachine(values, world.env);
    if (verb === undefined) {
      const found = await request("getAccount", {});
      if (output.isJson) output.json(found);
      else output.text(`OAPI key  ${found.oapi_key}\nMade      ${found.renewed ?? found.created}\n`);
      return 0;
    }
    const pair = await request(verb === "secret" ? "showOapiPair" : "renewOapiPair", {});
    if (verb === "renew") renewOapi(world.env, dataFolderOf(values, world.env), pair);
    if (output.isJson) output.json(pair);
    else output.text(`OAPI key     ${pair.oapi_key}\nOAPI secret  ${pair.oapi_secret}\n`);
    return 0;
  },
};
