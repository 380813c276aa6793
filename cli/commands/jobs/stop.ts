import { jobStateName, states } from "../../../shared/model/state-labels.ts";
import type { ParsedCommand } from "../../command/command.ts";
import { actOnJobs, jobFilterFlags } from "../../jobs/chosen-jobs.ts";

/** Stops jobs on every node. */
export const stop: ParsedCommand = {
  details: "Select jobs by ID, or by --status, --name and --owner. A job that has already ended does not change.",
  flags: jobFilterFlags,
  examples: [
    ["mediafarm stop 12", "stops job 12"],
    ["mediafarm stop --status queued", "stops every job that has not started"],
    ["mediafarm stop 12 --json", 'prints {"id":"12","status":"failed","substatus":"stopped"}'],
  ],
  run: (call) =>
    actOnJobs(call, "stop", "failed", ({ id, ...job }) => {
      const word = states[jobStateName(job)].word.toLowerCase();
      return job.substatus === "stopped" ? `Job ${id} is stopped\n` : `Job ${id} had already ended: ${word}\n`;
    }),
};
