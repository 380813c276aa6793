import { newSecret } from "../../../coordinator/secrets/vault.ts";
import { tagsIn } from "../../../shared/basics/tags.ts";
import { type Role, roles } from "../../../shared/people/person.ts";
import type { Call, ParsedCommand } from "../../command/command.ts";
import { one, runSubcommand, type Subcommand } from "../../command/subcommands.ts";
import type { Machine } from "../../farms/machine.ts";
import { parseChoice, textFlag, UsageError } from "../../terminal/flags.ts";
import type { Output } from "../../terminal/output.ts";
import type { Column } from "../../text/table.ts";

/** Dashboard accounts; also the way back in if the only owner forgot the password. */
export const people: ParsedCommand = {
  details:
    "add and reset print a link where that person chooses a password. It works once, within an hour, and not after a restart of the farm. The old password works until the reset link is used. If the only owner forgot the password, use reset. narrow lets an operator change only nodes and jobs with some tags, or with tags that some compute groups provide; without flags it takes that back. clear removes somebody's passkeys, one-time codes and recovery codes, who then signs in with the password alone, or is led to set up new ones if the farm wants them.",
  flags: {
    role: { type: "string", value: "ROLE", offers: roles, help: "With add: the person's role.", default: "operator" },
    tags: { type: "string", value: "TAG,…", help: "With add and narrow: the tags that the role is narrowed to." },
    groups: {
      type: "string",
      value: "GROUP,…",
      help: "With add and narrow: compute groups whose tags the role is narrowed to.",
    },
  },
  offers: ["add", "role", "narrow", "reset", "clear", "remove"],
  examples: [
    ["mediafarm people add Ada --role viewer", "adds Ada as a viewer, and prints a link where she chooses a password"],
    ["mediafarm people narrow Bob --tags dailies", "Bob changes only nodes and jobs with the tag dailies"],
    ["mediafarm people reset Ada", "prints a link where Ada chooses a new password"],
    ["mediafarm people clear Ada", "Ada has lost her phone: her password alone signs her in again"],
  ],
  run: (call) => {
    roleFlagOf(call); // a wrong flag is reported whatever the verb
    return runSubcommand("people", call, { add, role, narrow, reset, clear, remove }, async ({ machine, output }) =>
      tell((await machine().request("listPeople", {})).items, output),
    );
  },
};

const roleFlagOf = ({ values }: Call): Role => parseChoice("role", textFlag(values, "role") ?? "operator", roles);

const add = one("NAME", async (call, name) => {
  const machine = call.machine();
  // Nobody knows this password: the person chooses one with the link.
  const password = newSecret().reveal();
  await machine.request("createPerson", {
    name,
    role: roleFlagOf(call),
    password,
    ...(isNarrowed(call) && onlyOf(call)),
  });
  await tellLink(machine, name, call.output);
});

const role: Subcommand = {
  takes: `one NAME and a ROLE of ${roles.join(", ")}`,
  fits: (words) => words === 2,
  run: async ({ machine, output }, [name = "", word = ""]) => {
    const role = roleOf(word);
    tell([await machine().request("updatePerson", { name, role })], output);
  },
};

const isNarrowed = ({ values }: Call): boolean => values.tags !== undefined || values.groups !== undefined;

/** What is left out narrows to nothing: the command says all that holds afterwards. */
const onlyOf = ({ values }: Pick<Call, "values">) => ({
  only_tags: tagsIn(textFlag(values, "tags") ?? ""),
  only_groups: tagsIn(textFlag(values, "groups") ?? ""),
});

const narrow = one("NAME", async (call, name) => {
  tell([await call.machine().request("updatePerson", { name, ...onlyOf(call) })], call.output);
});

const reset = one("NAME", ({ machine, output }, name) => tellLink(machine(), name, output));

const clear = one("NAME", async ({ machine, output }, name) => {
  const { second_step } = await machine().request("clearSecondSteps", { name });
  output.answer({ name, second_step }, `Passkeys and codes of ${name} open nothing any more\n`);
});

const remove = one("NAME", async ({ machine, output }, name) => {
  await machine().request("deletePerson", { name });
  output.answer({ removed: name }, `${name} can no longer sign in\n`);
});

const roleOf = (text: string): Role => {
  const found = roles.find((role) => role === text);
  if (found) return found;
  throw new UsageError(`a role is one of ${roles.join(", ")}, not "${text}"`);
};

const tellLink = async ({ request, url }: Machine, name: string, output: Output): Promise<void> => {
  const { code, expires } = await request("resetPerson", { name });
  const link = `${url}#/reset?code=${code}`;
  const text = `${name} can choose a password here, once, until ${expires}: ${link}\n`;
  output.answer({ name, url: link, expires }, text);
};

type Person = {
  readonly name: string;
  readonly role: Role;
  readonly created: string;
  readonly provider?: string | undefined;
  readonly only_tags: readonly string[];
  readonly only_groups: readonly string[];
};

const tell = (people: readonly Person[], output: Output): void =>
  output.list(
    people,
    columns,
    "Nobody can sign in yet: use the link for the first owner that the farm printed when it started",
  );

const columns: readonly Column<Person>[] = [
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "ROLE", text: ({ role, provider }) => (provider === undefined ? role : `${role}, by ${provider}`) },
  { title: "ONLY", text: (person) => onlyText(person), shrinks: true },
  { title: "SINCE", text: ({ created }) => created },
];

const onlyText = ({ role, only_tags: tags, only_groups: groups }: Person): string =>
  role === "owner" ? "" : [...tags, ...groups.map((group) => `group ${group}`)].join(", ");
