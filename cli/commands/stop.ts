import { jobStateName, states } from "../../shared/state/labels.ts";
import { exactly, type ParsedCommand } from "../command.ts";

/** Stops a job on every node. */
export const stop: ParsedCommand = {
  name: "stop",
  words: "ID",
  summary: "Stop a job on every node; finished outputs stay.",
  details: "A job that has already ended does not change.",
  flags: {},
  examples: [
    ["mediafarm stop 12", "stops job 12"],
    ["mediafarm stop 12 --json", 'the same; prints {"id":"12","status":"failed","substatus":"stopped"}'],
  ],
  check: exactly(1, "stop", "one job's ID"),
  run: async ({ positionals: [id = ""], output, client: open }) => {
    const client = open();
    await client.stopJob({ job_id: id });
    const { status = "failed", substatus = null } = await client.getJobInfo({
      job_id: id,
      fields: ["status", "substatus"],
    });
    const word = states[jobStateName({ status, substatus })].word.toLowerCase();
    if (output.isJson) output.json({ id, status, substatus });
    else output.text(substatus === "stopped" ? `Job ${id} is stopped\n` : `Job ${id} had already ended: ${word}\n`);
    return 0;
  },
};
