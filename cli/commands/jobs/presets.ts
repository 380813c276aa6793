import type { OutputOf } from "../../../shared/api/api.ts";
import type { Client } from "../../../shared/api/client.ts";
import type { ParsedCommand } from "../../command/command.ts";
import { one, runSubcommand } from "../../command/subcommands.ts";
import { readJsonObject } from "../../terminal/json-file.ts";
import type { Column } from "../../text/table.ts";

/** Presets: parts of an element's payload that jobs build on by a key. */
export const presets: ParsedCommand = {
  details:
    "create reads a JSON object with key and payload, and optionally name, description, kind (default transcode) and path. It replaces a preset with the same key. Jobs keep the preset as it was when they were submitted. show prints passwords in plain text.",
  flags: {},
  offers: ["show", "create", "delete"],
  examples: [
    ["mediafarm presets create proxy.json", "stores the preset in the file under its key"],
    ["mediafarm presets show proxy > proxy.json", "prints it as it was sent"],
  ],
  run: (call) =>
    runSubcommand("presets", call, verbs, async ({ client, output }) =>
      output.list(
        (await client().listPresets({})).items,
        columns,
        "There are no presets. Create one: mediafarm presets create FILE",
      ),
    ),
};

const verbs = {
  show: one("KEY", async ({ client, output }, key) => {
    const preset = await client().getPreset({ key });
    output.answer(preset, `${JSON.stringify(preset, null, 2)}\n`);
  }),
  create: one("FILE, or - for standard input", async ({ client: open, output, world }, file) => {
    const client = open();
    const preset = await readJsonObject(file, world);
    const answer = await client.putPreset(preset as Parameters<Client["putPreset"]>[0]); // checked there
    output.answer(answer, `${answer.message}\n`);
  }),
  delete: one("KEY", async ({ client, output }, key) => {
    const answer = await client().deletePreset({ key });
    output.answer(answer, `${answer.message}\n`);
  }),
};

type Head = OutputOf<"listPresets">["items"][number];

const columns: readonly Column<Head>[] = [
  { title: "KEY", text: ({ key }) => key, shrinks: true },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "NAME", text: ({ name }) => name ?? "-", shrinks: true },
  { title: "PATH", text: ({ path }) => path ?? "-", shrinks: true },
];
