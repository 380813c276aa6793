import type { GivenIdentityProvider, ProviderView } from "../../../shared/people/identity.ts";
import { type Role, roles } from "../../../shared/people/person.ts";
import type { ParsedCommand } from "../../command/command.ts";
import { one, runSubcommand } from "../../command/subcommands.ts";
import { UsageError } from "../../terminal/flags.ts";
import { readJsonObject } from "../../terminal/json-file.ts";
import type { Column } from "../../text/table.ts";

/** How people sign in; also the way back in where the identity provider does not work. */
export const signIn: ParsedCommand = {
  details:
    'put reads a JSON object: {"name": "studio", "issuer": "https://login.studio.example", "client_id": "mediafarm", "client_secret": "…", "roles": {"owner": ["farm-owners"], "operator": ["editors"], "viewer": []}}. The client secret is stored encrypted and never shown; left out, the stored one stays. test asks the provider about itself. passwords off lets only providers sign people in, and signs out who came with a password; on is the way back in. second-step takes the weakest role whose people need a passkey or one-time codes beside the password (viewer: everybody), or nobody.',
  flags: {},
  offers: ["passwords", "second-step", "put", "test", "remove"],
  examples: [
    ["mediafarm sign-in put studio.json", "stores the identity provider in the file under its name"],
    ["mediafarm sign-in test studio", "whether the provider answers, and as whom"],
    ["mediafarm sign-in passwords on", "people sign in with passwords again"],
    [
      "mediafarm sign-in second-step operator",
      "operators and owners need a passkey or codes from their next sign-in on",
    ],
  ],
  run: (call) =>
    runSubcommand("sign-in", call, verbs, async ({ machine, output }) => {
      const { passwords, second_step, providers } = await machine().request("getIdentity", {});
      if (output.isJson) return output.answer({ passwords, second_step, providers }, "");
      output.text(`Passwords are switched ${passwords ? "on" : "off"}.\n`);
      if (second_step !== null) output.text(`${needWords(second_step)}.\n`);
      output.list(providers, columns, "There is no identity provider. Store one: mediafarm sign-in put FILE");
    }),
};

const needWords = (from: Role | null): string =>
  from === null
    ? "Nobody needs a second step beside the password"
    : `${{ owner: "Owners need", operator: "Operators and owners need", viewer: "Everybody needs" }[from]} a second step beside the password`;

const verbs = {
  passwords: one("on or off", async ({ machine, output }, word) => {
    if (word !== "on" && word !== "off") throw new UsageError(`passwords are switched on or off, not "${word}"`);
    const { passwords } = await machine().request("setIdentity", { passwords: word === "on" });
    output.answer({ passwords }, `Passwords are switched ${word}\n`);
  }),
  "second-step": one("ROLE, or nobody", async ({ machine, output }, word) => {
    const from = roles.find((role) => role === word) ?? null;
    if (from === null && word !== "nobody")
      throw new UsageError(`a second step is needed from a role on (${roles.join(", ")}), or by nobody, not "${word}"`);
    const { second_step } = await machine().request("setSecondStep", { from });
    output.answer({ second_step }, `${needWords(second_step)}\n`);
  }),
  put: one("FILE, or - for standard input", async ({ machine: open, output, world }, file) => {
    const machine = open();
    const given = (await readJsonObject(file, world)) as GivenIdentityProvider; // checked there
    const { providers } = await machine.request("putProvider", given);
    output.answer({ providers }, `Identity provider "${given.name}" is stored\n`);
  }),
  test: one("NAME", async ({ machine, output }, name) => {
    const found = await machine().request("testProvider", { name });
    const rest = found.ends_sessions ? "it can sign people out as well" : "it offers no sign-out";
    output.answer(found, `${name} answers as ${found.issuer}; ${rest}\n`);
  }),
  remove: one("NAME", async ({ machine, output }, name) => {
    await machine().request("deleteProvider", { name });
    output.answer({ removed: name }, `${name} lets nobody in any more, and its people are removed\n`);
  }),
};

const columns: readonly Column<ProviderView>[] = [
  { title: "NAME", text: ({ name }) => name },
  { title: "ISSUER", text: ({ issuer }) => issuer, shrinks: true },
  { title: "OWNERS", text: ({ roles }) => roles.owner.join(", ") || "-", shrinks: true },
  { title: "OPERATORS", text: ({ roles }) => roles.operator.join(", ") || "-", shrinks: true },
  { title: "VIEWERS", text: ({ roles }) => roles.viewer.join(", ") || "-", shrinks: true },
];
