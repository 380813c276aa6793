import type { JobOutput } from "../../../shared/api/job-outputs.ts";
import { exactly, type ParsedCommand } from "../../command/command.ts";
import { sizeText } from "../../text/size.ts";
import { plain } from "../../text/width.ts";

const atOnce = 1000;

/** Lists the files that a job made. */
export const outputs: ParsedCommand = {
  flags: {},
  examples: [
    ["mediafarm outputs 12", "prints one line per file: address, size, checksum and content"],
    ["mediafarm outputs 12 --json", "prints one JSON document per file, with all facts"],
  ],
  check: exactly(1, "outputs", "one job's ID"),
  run: async ({ positionals: [id = ""], output, client: open }) => {
    const client = open();
    for (let skip = 0; ; skip += atOnce) {
      const { items } = await client.listOutputs({ job_id: id, skip, take: atOnce });
      for (const item of items) output.answer(item, `${lineOf(item)}\n`);
      if (items.length < atOnce) return 0;
    }
  },
};

const lineOf = ({ uri, size, checksum, summary }: JobOutput): string =>
  [uri, sizeText(size ?? undefined), checksum ?? "no checksum", summary].filter(Boolean).map(plain).join("\t");
