import type { ParsedCommand } from "../../command/command.ts";

/** Deletes jobs in any state. */
export const deleteJobs: ParsedCommand = {
  flags: {},
  examples: [
    ["mediafarm delete 12 13", "deletes two jobs"],
    ["mediafarm delete 99 --json", 'prints {"id":"99","deleted":false} and exits with 1 if there is none'],
  ],
  check: (positionals) => (positionals.length === 0 ? "delete takes at least one job's ID" : undefined),
  run: async ({ positionals, output, client }) => {
    const ids = [...new Set(positionals)];
    const { items } = await client().deleteJobs({ ids });
    const deleted = new Set(items);
    const wasThere = (id: string) => deleted.has(String(Number(id)));
    for (const id of ids) {
      const isDeleted = wasThere(id);
      if (output.isJson) output.json({ id, deleted: isDeleted });
      else if (isDeleted) output.text(`Job ${id} is deleted\n`);
      else output.problem(`There is no job ${id}`);
    }
    return ids.every(wasThere) ? 0 : 1;
  },
};
