import { type ParsedCommand, UsageError } from "../command.ts";

const [lowest, highest] = [1, 254];

/** Sets the priority of jobs. */
export const priority: ParsedCommand = {
  name: "priority",
  words: "VALUE ID...",
  summary: "Set the priority of jobs; higher runs first.",
  flags: {},
  examples: [
    ["mediafarm priority 200 12 13", "gives two jobs the priority 200"],
    ["mediafarm priority 200 99 --json", 'prints {"id":"99","success":false,…} and exits with 1 if there is none'],
  ],
  check: (positionals) => (positionals.length < 2 ? "priority takes a value and at least one job's ID" : undefined),
  run: async ({ positionals: [value = "", ...ids], output, client }) => {
    const wanted = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(wanted >= lowest && wanted <= highest))
      throw new UsageError(`a priority is a whole number from ${lowest} to ${highest}, not "${value}"`);
    const { items } = await client().changeJobs({ action: "priority", ids, priority: wanted });
    for (const item of items) {
      if (output.isJson) output.json(item);
      else if (item.success) output.text(`Job ${item.id} has priority ${wanted}\n`);
      else output.problem(item.message ?? `Job ${item.id} was not changed`);
    }
    return items.every(({ success }) => success) ? 0 : 1;
  },
};
