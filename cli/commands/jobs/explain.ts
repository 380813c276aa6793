import type { Explanation } from "../../../shared/api/explain.ts";
import { exactly, type ParsedCommand } from "../../command/command.ts";
import { type Column, formatTable } from "../../text/table.ts";
import { withClockTimes } from "../../text/time.ts";
import { plain } from "../../text/width.ts";

/** Why a task waits. */
export const explain: ParsedCommand = {
  details: 'Task ids are in "mediafarm job ID". A node without a reason could take the task now.',
  flags: {},
  examples: [
    ["mediafarm explain 34", "prints one sentence, and a line for each node"],
    ["mediafarm explain 34 --json", "the same as JSON, each reason with its name"],
  ],
  check: exactly(1, "explain", "one task's ID"),
  run: async ({ positionals: [id = ""], output, world, client }) => {
    const found = await client().explainTask({ task_id: id });
    const table = found.nodes.length > 0 ? formatTable(columns, found.nodes, output.width) : "";
    output.answer(found, withClockTimes(head(found) + table, world.clock.now()));
    return 0;
  },
};

const head = ({ task_id, job_id, name, summary }: Explanation): string =>
  `Task ${task_id} of job ${job_id} (${plain(name)}): ${plain(summary)}\n`;

const columns: readonly Column<Explanation["nodes"][number]>[] = [
  { title: "NODE", text: ({ node_id }) => node_id, align: "right" },
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  {
    title: "WHY NOT",
    text: ({ reasons }) => reasons.map(({ message }) => message).join("; ") || "Could take it now",
    shrinks: true,
  },
];
