import type { OutputOf } from "../../../shared/api/api.ts";
import type { Client } from "../../../shared/api/client.ts";
import type { ParsedCommand } from "../../command/command.ts";
import { one, runSubcommand } from "../../command/subcommands.ts";
import { readJsonObject } from "../../terminal/json-file.ts";
import type { Column } from "../../text/table.ts";

/** The credentials vault: storage credentials under names that jobs use. */
export const credentials: ParsedCommand = {
  details:
    'put reads a JSON object: {"name": "archive", "prefix": "s3://archive", "credential": {"kind": "s3", "access_key_id": "…", "secret_access_key": "…"}}. The entry is used below its prefix only: where a job names it, and if a job gives no credentials. With "groups" (names of compute groups) or "nodes" (ids), only those nodes get it, and tasks that need it run only there. Entries are stored encrypted; secrets are never shown again. change reads the same object with nothing but the name and what changes, also a single field of "credential"; null takes a field away. test has nodes open the prefix of an entry, and says what each one found.',
  flags: {},
  offers: ["put", "change", "test", "delete"],
  examples: [
    ["mediafarm credentials put archive.json", "stores the entry in the file under its name"],
    ["mediafarm credentials change new.json", "changes only the fields in the file; the others keep their values"],
    ["mediafarm credentials test archive", "whether nodes can open the storage; exit status 1 if one cannot"],
    ["mediafarm credentials delete archive", "deletes it; running tasks keep their credentials"],
  ],
  run: (call) =>
    runSubcommand("credentials", call, verbs, async ({ client, output }) =>
      output.list(
        (await client().listCredentials({})).items,
        columns,
        "The credentials vault is empty. Store an entry: mediafarm credentials put FILE",
      ),
    ),
};

const verbs = {
  put: one("FILE, or - for standard input", async ({ client: open, output, world }, file) => {
    const client = open();
    const entry = await readJsonObject(file, world);
    const head = await client.putCredential(entry as Parameters<Client["putCredential"]>[0]); // checked there
    output.answer(head, `Entry "${head.name}" is stored\n`);
  }),
  change: one("FILE, or - for standard input", async ({ client: open, output, world }, file) => {
    const client = open();
    const change = await readJsonObject(file, world);
    const head = await client.changeCredential(change as Parameters<Client["changeCredential"]>[0]); // checked there
    output.answer(head, `Entry "${head.name}" is changed\n`);
  }),
  test: one("NAME", async ({ client, output }, name) => {
    const { items } = await client().testCredential({ name });
    output.list(items, trialColumns, "No node tried it");
    return items.every(({ success }) => success) ? 0 : 1;
  }),
  delete: one("NAME", async ({ client, output }, name) => {
    const answer = await client().deleteCredential({ name });
    output.answer(answer, `${answer.message}\n`);
  }),
};

type Head = OutputOf<"listCredentials">["items"][number];

type Trial = OutputOf<"testCredential">["items"][number];

const trialColumns: readonly Column<Trial>[] = [
  { title: "NODE", text: ({ node }) => node },
  { title: "OPENS IT", text: ({ success }) => (success ? "yes" : "no") },
  { title: "WHAT IT SAYS", text: ({ message }) => message, shrinks: true },
];

const boundWords = ({ nodes = [], groups = [] }: Head): string =>
  [...groups.map((name) => `group ${name}`), ...nodes.map((id) => `node ${id}`)].join(", ") || "-";

const columns: readonly Column<Head>[] = [
  { title: "NAME", text: ({ name }) => name },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "USED FOR", text: ({ prefix }) => prefix ?? "-", shrinks: true },
  { title: "ONLY FOR", text: boundWords, shrinks: true },
];
