import { newSecret } from "../../coordinator/secrets.ts";
import { type Role, roles } from "../../shared/person.ts";
import { choiceOf, type ParsedCommand, textOf, UsageError } from "../command.ts";
import { type Machine, openMachine } from "../machine.ts";
import type { Output } from "../output.ts";
import { type Column, formatTable } from "../text/table.ts";

/** Dashboard accounts; also the way back in if the only owner forgot the password. */
export const people: ParsedCommand = {
  name: "people",
  words: "[add NAME | role NAME ROLE | reset NAME | remove NAME]",
  summary: "Show or change who may sign in to the dashboard, on the coordinator's own machine.",
  details:
    "add and reset print a link where that person chooses a password. It works once, within an hour, and not after a restart of the farm. The old password works until the reset link is used. If the only owner forgot the password, use reset.",
  flags: {
    role: { type: "string", value: "ROLE", offers: roles, help: "With add: the person's role.", default: "operator" },
  },
  offers: ["add", "role", "reset", "remove"],
  examples: [
    ["mediafarm people add Ada --role viewer", "adds Ada as a viewer, and prints a link where she chooses a password"],
    ["mediafarm people reset Ada", "prints a link where Ada chooses a new password"],
  ],
  run: async ({ positionals: [verb, ...words], values, output, world }) => {
    const verbs = Object.keys(changes).join(", ");
    const change = verb === undefined ? undefined : changes[verb];
    if (verb !== undefined && !change) throw new UsageError(`people knows ${verbs}, not "${verb}"`);
    if (change && words.length !== change.words.length)
      throw new UsageError(`people ${verb} takes ${change.words.join(" and ")}`);
    const role = choiceOf("role", textOf(values, "role") ?? "operator", roles);
    const given = { name: words[0] ?? "", role: verb === "role" ? roleOf(words[1] ?? "") : role, output };
    const machine = openMachine(values, world.env);
    if (change) await change.run(machine, given);
    else tell((await machine.request("listPeople", {})).items, output);
    return 0;
  },
};

type Given = { readonly name: string; readonly role: Role; readonly output: Output };
type Change = {
  readonly words: readonly string[];
  readonly run: (machine: Machine, given: Given) => Promise<void>;
};

const changes: Readonly<Record<string, Change>> = {
  add: {
    words: ["one NAME"],
    run: async (machine, given) => {
      // Nobody knows this password: the person chooses one with the link.
      await machine.request("createPerson", { name: given.name, role: given.role, password: newSecret() });
      await tellLink(machine, given);
    },
  },
  role: {
    words: ["one NAME", `a ROLE of ${roles.join(", ")}`],
    run: async ({ request }, { name, role, output }) => tell([await request("updatePerson", { name, role })], output),
  },
  reset: { words: ["one NAME"], run: (machine, given) => tellLink(machine, given) },
  remove: {
    words: ["one NAME"],
    run: async ({ request }, { name, output }) => {
      await request("deletePerson", { name });
      if (output.isJson) output.json({ removed: name });
      else output.text(`${name} can no longer sign in\n`);
    },
  },
};

const roleOf = (text: string): Role => {
  const found = roles.find((role) => role === text);
  if (found) return found;
  throw new UsageError(`a role is one of ${roles.join(", ")}, not "${text}"`);
};

const tellLink = async ({ request, url }: Machine, { name, output }: Given): Promise<void> => {
  const { code, expires } = await request("resetPerson", { name });
  const link = `${url}#/reset?code=${code}`;
  if (output.isJson) output.json({ name, url: link, expires });
  else output.text(`${name} can choose a password here, once, until ${expires}: ${link}\n`);
};

type Person = { readonly name: string; readonly role: Role; readonly created: string };

const tell = (people: readonly Person[], output: Output): void => {
  if (output.isJson) for (const each of people) output.json(each);
  else if (people.length > 0) output.text(formatTable(columns, people, output.width));
  else output.problem("Nobody can sign in yet: use the link for the first owner that the farm printed when it started");
};

const columns: readonly Column<Person>[] = [
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "ROLE", text: ({ role }) => role },
  { title: "SINCE", text: ({ created }) => created },
];
