import { jobStateName, states } from "../../../shared/model/state-labels.ts";
import type { ParsedCommand } from "../../command/command.ts";
import { actOnJobs, jobFilterFlags } from "../../jobs/chosen-jobs.ts";

/** Pauses or resumes jobs. */
const holding = (name: "pause" | "resume", words: Pick<ParsedCommand, "details" | "examples">): ParsedCommand => ({
  ...words,
  flags: jobFilterFlags,
  run: (call) =>
    actOnJobs(call, name, "queued", (job) => `Job ${job.id}: ${states[jobStateName(job)].word.toLowerCase()}\n`),
});

export const pause = holding("pause", {
  details: "Select jobs by ID, or by --status, --name and --owner. A job that has already ended does not change.",
  examples: [
    ["mediafarm pause 12", "pauses job 12 until it is resumed"],
    ["mediafarm pause --status queued", "pauses every job that has not started"],
    ["mediafarm pause 12 --json", 'the same; prints {"id":"12","status":"active","substatus":"paused"}'],
  ],
});

export const resume = holding("resume", {
  details: "Select jobs by ID, or by --status, --name and --owner. Other jobs do not change.",
  examples: [
    ["mediafarm resume 12", "resumes job 12 at once"],
    ["mediafarm resume 12 13", "resumes two jobs"],
    ["mediafarm resume 12 --json", 'the same; prints {"id":"12","status":"active","substatus":"waiting"}'],
  ],
});
