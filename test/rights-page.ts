import { writeFileSync } from "node:fs";
import { scopeWords } from "../shared/people/scopes.ts";
import { doorRights } from "../shared/rights/door-rights.ts";
import { breadthOf } from "../shared/rights/narrowing.ts";
import { apiRights, eventRights, messageRights, type Right, uiRights } from "../shared/rights/rights.ts";
import { toldSecrets } from "../shared/rights/told-secrets.ts";

export const rightsFile = new URL("../docs/rights.md", import.meta.url);

const line = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(...heads), line(...heads.map(() => "---")), ...rows.map((row) => line(...row))].join("\n");
const rightsTable = (rights: Readonly<Record<string, Right>>): string =>
  table(
    ["call", "object", "action", "a program needs", "a person needs", "narrowed, they may"],
    Object.entries(rights).map(([name, { object, action, program, person }]) => [
      `\`${name}\``,
      object,
      action,
      program,
      person,
      person === "nobody" || person === "stranger" || person === "owner" ? "" : breadthOf({ object, action }),
    ]),
  );

/** The page of `docs/` that says who may do what, made from the tables that are checked. */
export const rightsPage = (): string => `# Who may do what

Made from \`shared/rights/rights.ts\` by \`node test/rights-page.ts\`; [security.md](security.md) says why.

A program needs a **scope**: \`any\` is a token of any API user, \`pair\` the farm's pair alone, \`stranger\` nothing, \`nobody\` means
that no program may. A person needs a **role**, or a stronger one;
\`entering\` is anybody who is signed in, or whose password was right where the farm wants a [second step](sign-in.md) that they have yet to set up.

${table(
  ["scope", "with it a program may"],
  Object.entries(scopeWords).map(([scope, words]) => [`\`${scope}\``, words]),
)}

A program also has a **reach**: \`own\` is what it sent itself, \`group\` what was sent by its group, \`all\` is everything. It holds
for jobs, tasks, events and presets, to read, to change, and for presets to be used in jobs. What is not reached is answered like
what does not exist. Jobs and presets from before there were owners, and those of people, are reached by \`all\` only. Keys of
presets are one namespace: a key that somebody else has taken is refused as taken. People reach everything that their role
allows. Saved views are the farm's.

A person's role may be **narrowed** to tags, or to compute groups, which stand for the tags that they provide
([how](sign-in.md#narrowed-roles)). The last column says what such a person may do: \`all\` that the role allows, what is
\`tagged\` with one of their tags (a job by its own \`task_tags\`, a node by its tags and those of its group), or \`nothing\`. All that
is read is \`all\`. Owners are never narrowed, and programs have a reach instead.

## Calls that programs and people share

${rightsTable(apiRights)}

## Calls of the pages

${rightsTable(uiRights)}

## Doors outside of these tables

${table(
  ["door", "opens with"],
  Object.entries(doorRights).map(([name, { opens }]) => [`\`${name}\``, opens]),
)}

## Events

${table(
  ["event", "a program needs", "a person needs", "only within reach"],
  Object.entries(eventRights).map(([type, { program, person, isOfJob }]) => [
    `\`${type}\``,
    program,
    person,
    isOfJob ? "yes" : "no",
  ]),
)}

## Fields that sound secret

In answers, events and messages; each with who gets it, or why it is none. Fields of jobs and presets are in no answer but to who
sent them; passwords and signatures within addresses are in none at all.

${table(
  ["field", "who gets it"],
  Object.entries(toldSecrets).map(([field, who]) => [`\`${field}\``, who]),
)}

## Messages of nodes

${table(
  ["message", "may concern"],
  Object.entries(messageRights).map(([type, about]) => [`\`${type}\``, about]),
)}
`;

if (import.meta.main) writeFileSync(rightsFile, rightsPage());
