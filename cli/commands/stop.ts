import { jobStateName, states } from "../../shared/state/labels.ts";
import { changeJobs, chosenJobs, jobFilterFlags } from "../chosen-jobs.ts";
import type { ParsedCommand } from "../command.ts";

/** Stops jobs on every node. */
export const stop: ParsedCommand = {
  name: "stop",
  words: "ID...",
  summary: "Stop jobs on every node; finished outputs stay.",
  details: "Select jobs by ID, or by --status and --name. A job that has already ended does not change.",
  flags: jobFilterFlags,
  examples: [
    ["mediafarm stop 12", "stops job 12"],
    ["mediafarm stop --status queued", "stops every job that has not started"],
    ["mediafarm stop 12 --json", 'prints {"id":"12","status":"failed","substatus":"stopped"}'],
  ],
  run: async ({ positionals, values, output, client: open }) => {
    const { client, ids } = await chosenJobs(open, positionals, values);
    const changed = await changeJobs(client, "stop", ids);
    for (const { id, problem, status = "failed", substatus = null } of changed) {
      const word = states[jobStateName({ status, substatus })].word.toLowerCase();
      if (problem !== undefined) output.problem(problem);
      else if (output.isJson) output.json({ id, status, substatus });
      else output.text(substatus === "stopped" ? `Job ${id} is stopped\n` : `Job ${id} had already ended: ${word}\n`);
    }
    if (changed.length === 0) output.problem("No job matches.");
    return changed.every(({ problem }) => problem === undefined) ? 0 : 1;
  },
};
