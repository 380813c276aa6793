import { exactly, type ParsedCommand } from "../../command/command.ts";

const atOnce = 1000;

/** Lists the files that a job made. */
export const outputs: ParsedCommand = {
  flags: {},
  examples: [
    ["mediafarm outputs 12", "prints one line per file: address and content"],
    ["mediafarm outputs 12 --json", "prints one JSON document per file, with all facts"],
  ],
  check: exactly(1, "outputs", "one job's ID"),
  run: async ({ positionals: [id = ""], output, client: open }) => {
    const client = open();
    for (let skip = 0; ; skip += atOnce) {
      const { items } = await client.listOutputs({ job_id: id, skip, take: atOnce });
      for (const item of items) output.answer(item, `${[item.uri, item.summary].filter(Boolean).join("\t")}\n`);
      if (items.length < atOnce) return 0;
    }
  },
};
