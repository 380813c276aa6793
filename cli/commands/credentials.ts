import type { OutputOf } from "../../shared/api.ts";
import type { Client } from "../../shared/client.ts";
import { type Call, type ParsedCommand, UsageError } from "../command.ts";
import { readJsonObject } from "../json-file.ts";
import { type Column, formatTable } from "../text/table.ts";

/** The credentials vault: storage credentials under names that jobs use. */
export const credentials: ParsedCommand = {
  name: "credentials",
  words: "[put FILE|- | delete NAME]",
  summary: "Show, store or delete storage credentials, which jobs name as access.credentials_key.",
  details:
    'put reads a JSON object: {"name": "archive", "prefix": "s3://archive", "credential": {"kind": "s3", "access_key_id": "…", "secret_access_key": "…"}}. With a prefix, the entry also applies to addresses below it if a job gives no credentials. Entries are stored encrypted; secrets are never shown again.',
  flags: {},
  offers: ["put", "delete"],
  examples: [
    ["mediafarm credentials put archive.json", "stores the entry in the file under its name"],
    ["mediafarm credentials delete archive", "deletes it; running tasks keep their credentials"],
  ],
  run: async ({ positionals: [verb, word, ...more], client, ...call }) => {
    if (verb === undefined) {
      tell((await client().listCredentials({})).items, call);
      return 0;
    }
    const action = actions[verb];
    if (!action) throw new UsageError(`credentials knows ${Object.keys(actions).join(", ")}, not "${verb}"`);
    if (word === undefined || more.length > 0) throw new UsageError(`credentials ${verb} takes one ${action.takes}`);
    await action.run(client(), word, call);
    return 0;
  },
};

type Around = Pick<Call, "output" | "world">;
type Action = { readonly takes: string; readonly run: (farm: Client, word: string, call: Around) => Promise<void> };

const actions: Readonly<Record<string, Action>> = {
  put: {
    takes: "FILE, or - for standard input",
    run: async (farm, file, { output, world }) => {
      const entry = await readJsonObject(file, world);
      const head = await farm.putCredential(entry as Parameters<Client["putCredential"]>[0]); // checked there
      if (output.isJson) output.json(head);
      else output.text(`Entry "${head.name}" is stored\n`);
    },
  },
  delete: {
    takes: "NAME",
    run: async (farm, name, { output }) => {
      const answer = await farm.deleteCredential({ name });
      if (output.isJson) output.json(answer);
      else output.text(`${answer.message}\n`);
    },
  },
};

type Head = OutputOf<"listCredentials">["items"][number];

const tell = (heads: readonly Head[], { output }: Around): void => {
  if (output.isJson) for (const each of heads) output.json(each);
  else if (heads.length > 0) output.text(formatTable(columns, heads, output.width));
  else output.problem("The credentials vault is empty. Store an entry: mediafarm credentials put FILE");
};

const columns: readonly Column<Head>[] = [
  { title: "NAME", text: ({ name }) => name },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "USED FOR", text: ({ prefix }) => prefix ?? "-", shrinks: true },
];
