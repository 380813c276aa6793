import { jobStateName, states } from "../../shared/state/labels.ts";
import { exactly, type ParsedCommand } from "../command.ts";

/** Pauses or resumes a job. */
const holding = (
  name: "pause" | "resume",
  words: Pick<ParsedCommand, "summary" | "details" | "examples">,
): ParsedCommand => ({
  name,
  words: "ID",
  ...words,
  flags: {},
  check: exactly(1, name, "one job's ID"),
  run: async ({ positionals: [id = ""], output, client: open }) => {
    const client = open();
    await client[`${name}Job`]({ job_id: id });
    const info = await client.getJobInfo({ job_id: id, fields: ["status", "substatus"] });
    const { status = "queued", substatus = null } = info;
    if (output.isJson) output.json({ id, status, substatus });
    else output.text(`Job ${id}: ${states[jobStateName({ status, substatus })].word.toLowerCase()}\n`);
    return 0;
  },
});

export const pause = holding("pause", {
  summary: "Pause a job: no more tasks start, running tasks finish.",
  details: "A job that has already ended does not change.",
  examples: [
    ["mediafarm pause 12", "pauses job 12 until it is resumed"],
    ["mediafarm pause 12 --json", 'the same; prints {"id":"12","status":"active","substatus":"paused"}'],
  ],
});

export const resume = holding("resume", {
  summary: "Resume a job that is paused or scheduled.",
  details: "Other jobs do not change.",
  examples: [
    ["mediafarm resume 12", "resumes job 12 at once"],
    ["mediafarm resume 12 --json", 'the same; prints {"id":"12","status":"active","substatus":"waiting"}'],
  ],
});
