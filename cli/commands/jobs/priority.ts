import type { ParsedCommand } from "../../command/command.ts";
import { chosenJobs, jobFilterFlags } from "../../jobs/chosen-jobs.ts";
import { UsageError } from "../../terminal/flags.ts";

const [lowest, highest] = [1, 254];

/** Sets the priority of jobs. */
export const priority: ParsedCommand = {
  details: "Select jobs by ID, or by --status, --name and --owner.",
  flags: jobFilterFlags,
  examples: [
    ["mediafarm priority 200 12 13", "gives two jobs the priority 200"],
    ["mediafarm priority 50 --name nightly", "gives every job named nightly the priority 50"],
    ["mediafarm priority 200 99 --json", 'prints {"id":"99","success":false,…} and exits with 1 if there is none'],
  ],
  check: (positionals) => (positionals.length === 0 ? "priority takes a value and the jobs it is for" : undefined),
  run: async ({ positionals: [value = "", ...named], values, output, client: open }) => {
    const wanted = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(wanted >= lowest && wanted <= highest))
      throw new UsageError(`a priority is a whole number from ${lowest} to ${highest}, not "${value}"`);
    const { client, ids } = await chosenJobs(open, named, values);
    const { items } =
      ids.length === 0 ? { items: [] } : await client.changeJobs({ action: "priority", ids, priority: wanted });
    for (const item of items) {
      if (output.isJson) output.json(item);
      else if (item.success) output.text(`Job ${item.id} has priority ${wanted}\n`);
      else output.problem(item.message ?? `Job ${item.id} was not changed`);
    }
    if (items.length === 0) output.problem("No job matches.");
    return items.every(({ success }) => success) ? 0 : 1;
  },
};
