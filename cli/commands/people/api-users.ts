import type { ApiUser } from "../../../shared/people/account.ts";
import { type ReachKind, type Scope, scopes, usualScopes } from "../../../shared/people/scopes.ts";
import type { ParsedCommand } from "../../command/command.ts";
import { one, runSubcommand, type Subcommand } from "../../command/subcommands.ts";
import { dataFolderOf } from "../../farms/chosen-farm.ts";
import { keepCredentials } from "../../farms/credentials.ts";
import type { Column } from "../../text/table.ts";

/** Programs that may log in to the API. */
export const apiUsers: ParsedCommand = {
  details:
    "create prints auth_key and auth_secret; the secret is shown only once. revoke also ends the user's tokens at once. NAME is only a label for people.",
  flags: {
    keep: { type: "boolean", help: "With create: keep its credentials for this user's own commands." },
    scopes: {
      type: "string",
      value: "SCOPE,…",
      help: `With create: what the user may do, of ${scopes.join(", ")}. Without: ${usualScopes.join(", ")}.`,
    },
    reach: {
      type: "string",
      value: "WHOSE",
      help: "With create: whose jobs and presets it sees and changes: own (the default), group, or all.",
    },
    group: { type: "string", value: "GROUP", help: "With create: the group that its jobs and presets belong to." },
    days: { type: "string", value: "N", help: "With create: it expires after so many days. Without: never." },
    "may-mount": { type: "boolean", help: "With create: the scope mounts beside the others." },
  },
  offers: ["create", "revoke"],
  examples: [
    ['mediafarm api-users create "the archive"', "creates one and prints its key and secret"],
    ["mediafarm api-users revoke api_Xk29dQpw1c5f", "it can no longer log in"],
  ],
  run: (call) =>
    runSubcommand("api-users", call, { create, revoke }, async ({ machine, output }) =>
      output.list(
        (await machine().request("listApiUsers", {})).items,
        columns,
        "There are no API users. Create one: mediafarm api-users create NAME",
      ),
    ),
};

const create: Subcommand = {
  takes: "at most one NAME",
  fits: (words) => words <= 1,
  run: async ({ values, output, world, machine }, [name = ""]) => {
    const { request, url, authority } = machine();
    const made = await request("createApiUser", { name, ...powerIn(values) });
    if (values.keep) {
      const pair = await request("showOapiPair", {});
      keepCredentials(world.env, dataFolderOf(values, world.env), `${url}v1`, { ...pair, ...made }, authority);
    }
    output.answer(made, `auth_key     ${made.auth_key}\nauth_secret  ${made.auth_secret}  (shown only once)\n`);
  },
};

/** What the new user may do, as it was asked for; the farm checks the words. Who keeps it for their own commands may all. */
const powerIn = (values: Readonly<Record<string, unknown>>) => {
  const { keep, reach = keep ? "all" : "own", group } = values;
  const asked = typeof values.scopes === "string" ? values.scopes.split(",").map((each) => each.trim()) : undefined;
  const wanted = asked ?? (keep ? scopes : undefined);
  return {
    ...(wanted && { scopes: [...wanted] as Scope[] }), // or words that the farm refuses
    reach: reach as ReachKind,
    ...(typeof group === "string" && { group }),
    may_mount: values["may-mount"] === true,
    ...(typeof values.days === "string" && { days: Number(values.days) }),
  };
};

const revoke = one("AUTH_KEY", async ({ machine, output }, auth_key) => {
  await machine().request("revokeApiUser", { auth_key });
  output.answer({ revoked: auth_key }, `${auth_key} can no longer log in\n`);
});

const columns: readonly Column<ApiUser>[] = [
  { title: "AUTH_KEY", text: ({ auth_key }) => auth_key },
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "MADE", text: ({ created }) => created },
  { title: "LAST LOGIN", text: ({ last_login: last }) => last ?? "never" },
  { title: "LAST USED", text: ({ last_used: last }) => last ?? "never" },
  { title: "EXPIRES", text: ({ expires }) => expires ?? "never" },
  { title: "REACH", text: ({ reach, group }) => (group === null ? reach : `${reach} (${group})`) },
  { title: "SCOPES", text: (user) => user.scopes.join(","), shrinks: true },
  { title: "TOKENS", text: ({ live_tokens }) => String(live_tokens), align: "right" },
];
