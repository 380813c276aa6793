import type { OutputOf } from "../../shared/api.ts";
import type { Client } from "../../shared/client.ts";
import { type Call, type ParsedCommand, UsageError } from "../command.ts";
import { readJsonObject } from "../json-file.ts";
import { type Column, formatTable } from "../text/table.ts";

/** The credentials vault: storage credentials under names that jobs use. */
export const credentials: ParsedCommand = {
  name: "credentials",
  words: "[put FILE|- | test NAME | delete NAME]",
  summary: "Show, store or delete storage credentials, which jobs name as access.credentials_key.",
  details:
    'put reads a JSON object: {"name": "archive", "prefix": "s3://archive", "credential": {"kind": "s3", "access_key_id": "…", "secret_access_key": "…"}}. With a prefix, the entry also applies to addresses below it if a job gives no credentials. With "groups" (names of compute groups) or "nodes" (ids), only those nodes get it, and tasks that need it run only there. Entries are stored encrypted; secrets are never shown again. test has nodes open the prefix of an entry, and says what each one found.',
  flags: {},
  offers: ["put", "test", "delete"],
  examples: [
    ["mediafarm credentials put archive.json", "stores the entry in the file under its name"],
    ["mediafarm credentials test archive", "whether nodes can open the storage; exit status 1 if one cannot"],
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
    return (await action.run(client(), word, call)) ?? 0;
  },
};

type Around = Pick<Call, "output" | "world">;
type Action = {
  readonly takes: string;
  readonly run: (farm: Client, word: string, call: Around) => Promise<number | undefined>;
};

const actions: Readonly<Record<string, Action>> = {
  put: {
    takes: "FILE, or - for standard input",
    run: async (farm, file, { output, world }) => {
      const entry = await readJsonObject(file, world);
      const head = await farm.putCredential(entry as Parameters<Client["putCredential"]>[0]); // checked there
      if (output.isJson) output.json(head);
      else output.text(`Entry "${head.name}" is stored\n`);
      return undefined;
    },
  },
  test: {
    takes: "NAME",
    run: async (farm, name, { output }) => {
      const { items } = await farm.testCredential({ name });
      if (output.isJson) for (const each of items) output.json(each);
      else output.text(formatTable(trialColumns, items, output.width));
      return items.every(({ success }) => success) ? 0 : 1;
    },
  },
  delete: {
    takes: "NAME",
    run: async (farm, name, { output }) => {
      const answer = await farm.deleteCredential({ name });
      if (output.isJson) output.json(answer);
      else output.text(`${answer.message}\n`);
      return undefined;
    },
  },
};

type Head = OutputOf<"listCredentials">["items"][number];

type Trial = OutputOf<"testCredential">["items"][number];

const trialColumns: readonly Column<Trial>[] = [
  { title: "NODE", text: ({ node }) => node },
  { title: "OPENS IT", text: ({ success }) => (success ? "yes" : "no") },
  { title: "WHAT IT SAYS", text: ({ message }) => message, shrinks: true },
];

const tell = (heads: readonly Head[], { output }: Around): void => {
  if (output.isJson) for (const each of heads) output.json(each);
  else if (heads.length > 0) output.text(formatTable(columns, heads, output.width));
  else output.problem("The credentials vault is empty. Store an entry: mediafarm credentials put FILE");
};

const boundWords = ({ nodes = [], groups = [] }: Head): string =>
  [...groups.map((name) => `group ${name}`), ...nodes.map((id) => `node ${id}`)].join(", ") || "-";

const columns: readonly Column<Head>[] = [
  { title: "NAME", text: ({ name }) => name },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "USED FOR", text: ({ prefix }) => prefix ?? "-", shrinks: true },
  { title: "ONLY FOR", text: boundWords, shrinks: true },
];
