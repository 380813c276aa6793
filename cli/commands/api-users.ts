import type { ApiUser } from "../../shared/account.ts";
import { type ParsedCommand, UsageError } from "../command.ts";
import { keepCredentials } from "../credentials.ts";
import { dataFolderOf, openMachine } from "../machine.ts";
import type { Output } from "../output.ts";
import { type Column, formatTable } from "../text/table.ts";

/** Programs that may log in to the API. */
export const apiUsers: ParsedCommand = {
  name: "api-users",
  words: "[create [NAME] | revoke AUTH_KEY]",
  summary: "Show, create or revoke API users, on the coordinator's own machine.",
  details:
    "create prints auth_key and auth_secret; the secret is shown only once. revoke also ends the user's tokens at once. NAME is only a label for people.",
  flags: {
    keep: { type: "boolean", help: "With create: keep its credentials for this user's own commands." },
    "may-mount": {
      type: "boolean",
      help: "With create: the user may change the farm's mounts, which open folders on every node.",
    },
  },
  offers: ["create", "revoke"],
  examples: [
    ['mediafarm api-users create "the archive"', "creates one and prints its key and secret"],
    ["mediafarm api-users revoke api_Xk29dQpw1c5f", "it can no longer log in"],
  ],
  run: async ({ positionals: [verb, ...words], values, output, world }) => {
    if (verb === undefined) {
      tell((await openMachine(values, world.env).request("listApiUsers", {})).items, output);
      return 0;
    }
    if (verb === "create" && words.length <= 1) {
      const machine = openMachine(values, world.env);
      const made = await machine.request("createApiUser", {
        name: words[0] ?? "",
        may_mount: values["may-mount"] === true,
      });
      if (values.keep) {
        const pair = await machine.request("showOapiPair", {});
        keepCredentials(world.env, dataFolderOf(values, world.env), `${machine.url}v1`, { ...pair, ...made });
      }
      if (output.isJson) output.json(made);
      else output.text(`auth_key     ${made.auth_key}\nauth_secret  ${made.auth_secret}  (shown only once)\n`);
      return 0;
    }
    if (verb === "revoke" && words[0] !== undefined && words.length === 1) {
      await openMachine(values, world.env).request("revokeApiUser", { auth_key: words[0] });
      if (output.isJson) output.json({ revoked: words[0] });
      else output.text(`${words[0]} can no longer log in\n`);
      return 0;
    }
    const takes: Record<string, string> = { create: "at most one NAME", revoke: "one AUTH_KEY" };
    throw new UsageError(
      takes[verb] ? `api-users ${verb} takes ${takes[verb]}` : `api-users knows create and revoke, not "${verb}"`,
    );
  },
};

const tell = (users: readonly ApiUser[], output: Output): void => {
  if (output.isJson) for (const each of users) output.json(each);
  else if (users.length > 0) output.text(formatTable(columns, users, output.width));
  else output.problem("There are no API users. Create one: mediafarm api-users create NAME");
};

const columns: readonly Column<ApiUser>[] = [
  { title: "AUTH_KEY", text: ({ auth_key }) => auth_key },
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "MADE", text: ({ created }) => created },
  { title: "LAST LOGIN", text: ({ last_login: last }) => last ?? "never" },
  { title: "MOUNTS", text: ({ may_mount }) => (may_mount ? "may change" : "") },
  { title: "TOKENS", text: ({ live_tokens }) => String(live_tokens), align: "right" },
];
