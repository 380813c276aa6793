import type { JoinTokenInfo } from "../../../shared/credentials/join-tokens.ts";
import type { ParsedCommand } from "../../command/command.ts";
import { one, runSubcommand, type Subcommand } from "../../command/subcommands.ts";
import { numberFlag, type Values } from "../../terminal/flags.ts";
import type { Column } from "../../text/table.ts";

/** The join tokens for new nodes. */
export const joinToken: ParsedCommand = {
  details:
    "Alone, it prints the farm's own token, which works until it is replaced with renew; the old one stops working at once. create makes a token with limits and prints it once; its nodes get no work before somebody makes them active (mediafarm node ID --state active), unless --at-once is given. end stops one. list shows all of them, and which nodes came in by which. Nodes that have joined have their own keys and stay.",
  flags: {
    uses: { type: "string", value: "N|any", help: "With create: the number of nodes that may join by it (1)." },
    hours: { type: "string", value: "N|any", help: "With create: how long it works (24)." },
    "at-once": { type: "boolean", help: "With create: its nodes get work at once, without approval." },
  },
  offers: ["renew", "create", "end", "list"],
  examples: [
    ["mediafarm join-token", "prints the token for mediafarm agent --join"],
    ["mediafarm join-token renew", "replaces it, for example if the old one was leaked"],
    ['mediafarm join-token create "studio 2" --uses 20 --hours 8', "makes one for twenty machines, for today"],
    ["mediafarm join-token list", "prints what came in by which token"],
  ],
  run: (call) =>
    runSubcommand("join-token", call, { renew, create, end, list }, async ({ machine, output }) => {
      const found = await machine().request("showJoinToken", {});
      output.answer(found, `${found.join_token}\n`);
    }),
};

const renew: Subcommand = {
  takes: "nothing more",
  fits: (words) => words === 0,
  run: async ({ machine, output }) => {
    const made = await machine().request("renewJoinToken", {});
    output.answer(made, `${made.join_token}\n`);
  },
};

const create = one("NAME", async ({ values, machine, output }, name) => {
  const made = await machine().request("createJoinToken", {
    name,
    ...(values.uses !== undefined && { uses: numberOrAny(values, "uses", 5000) }),
    ...(values.hours !== undefined && { hours: numberOrAny(values, "hours", 24 * 366) }),
    approval: values["at-once"] !== true,
  });
  output.answer(made, `${made.join_token}\n`);
});

/** Null: without a limit. */
const numberOrAny = (values: Values, flag: string, max: number): number | null =>
  values[flag] === "any" ? null : (numberFlag(values, flag, max) ?? null);

const end = one("ID", async ({ machine, output }, token_id) => {
  await machine().request("endJoinToken", { token_id });
  output.answer({ ended: token_id }, `${token_id} lets nobody in any more\n`);
});

const list: Subcommand = {
  takes: "nothing more",
  fits: (words) => words === 0,
  run: async ({ machine, output }) =>
    output.list((await machine().request("listJoinTokens", {})).items, columns, "There are no join tokens."),
};

const columns: readonly Column<JoinTokenInfo>[] = [
  { title: "ID", text: ({ id }) => id ?? "–" },
  {
    title: "NAME",
    text: ({ id, name }) => (id === null ? "from before" : id === "farm" ? "the farm's own" : name),
    shrinks: true,
  },
  { title: "USED", text: ({ used, uses }) => (uses === null ? String(used) : `${used} of ${uses}`), align: "right" },
  { title: "UNTIL", text: ({ expires, end: why }) => why ?? expires ?? "–" },
  { title: "APPROVAL", text: ({ approval }) => (approval ? "yes" : "no") },
  {
    title: "NODES",
    text: ({ nodes }) =>
      nodes.map(({ id, name, state }) => `${name} (${id}${state === "pending" ? ", waits" : ""})`).join(", ") || "–",
    shrinks: true,
  },
];
