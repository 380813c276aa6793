import type { OutputOf } from "../../shared/api.ts";
import type { Client } from "../../shared/client.ts";
import { type Call, type ParsedCommand, UsageError } from "../command.ts";
import { readJsonObject } from "../json-file.ts";
import { type Column, formatTable } from "../text/table.ts";

/** Presets: parts of an element's payload that jobs build on by a key. */
export const presets: ParsedCommand = {
  name: "presets",
  words: "[show KEY | create FILE|- | delete KEY]",
  summary: "Show, create or delete presets: payloads that elements use by key.",
  details:
    "create reads a JSON object with key and payload, and optionally name, description, kind (default transcode) and path. It replaces a preset with the same key. Jobs keep the preset as it was when they were submitted. show prints passwords in plain text.",
  flags: {},
  offers: ["show", "create", "delete"],
  examples: [
    ["mediafarm presets create proxy.json", "stores the preset in the file under its key"],
    ["mediafarm presets show proxy > proxy.json", "prints it as it was sent"],
  ],
  run: async ({ positionals: [verb, word, ...more], client, ...call }) => {
    if (verb === undefined) {
      tell((await client().listPresets({})).items, call);
      return 0;
    }
    const action = actions[verb];
    if (!action) throw new UsageError(`presets knows ${Object.keys(actions).join(", ")}, not "${verb}"`);
    if (word === undefined || more.length > 0) throw new UsageError(`presets ${verb} takes one ${action.takes}`);
    await action.run(client(), word, call);
    return 0;
  },
};

type Around = Pick<Call, "output" | "world">;
type Action = { readonly takes: string; readonly run: (farm: Client, word: string, call: Around) => Promise<void> };

const actions: Readonly<Record<string, Action>> = {
  show: {
    takes: "KEY",
    run: async (farm, key, { output }) => {
      const preset = await farm.getPreset({ key });
      if (output.isJson) output.json(preset);
      else output.text(`${JSON.stringify(preset, null, 2)}\n`);
    },
  },
  create: {
    takes: "FILE, or - for standard input",
    run: async (farm, file, { output, world }) => {
      const preset = await readJsonObject(file, world);
      done(await farm.putPreset(preset as Parameters<Client["putPreset"]>[0]), output); // checked there
    },
  },
  delete: { takes: "KEY", run: async (farm, key, { output }) => done(await farm.deletePreset({ key }), output) },
};

const done = (answer: OutputOf<"putPreset">, output: Call["output"]): void => {
  if (output.isJson) output.json(answer);
  else output.text(`${answer.message}\n`);
};

type Head = OutputOf<"listPresets">["items"][number];

const tell = (heads: readonly Head[], { output }: Around): void => {
  if (output.isJson) for (const each of heads) output.json(each);
  else if (heads.length > 0) output.text(formatTable(columns, heads, output.width));
  else output.problem("There are no presets. Create one: mediafarm presets create FILE");
};

const columns: readonly Column<Head>[] = [
  { title: "KEY", text: ({ key }) => key, shrinks: true },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "NAME", text: ({ name }) => name ?? "-", shrinks: true },
  { title: "PATH", text: ({ path }) => path ?? "-", shrinks: true },
];
