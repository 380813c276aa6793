import { jobStateName, states } from "../../shared/state/labels.ts";
import { exactly, type ParsedCommand } from "../command.ts";

/** Holds a job back, or lets it go on. */
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
  summary: "Start no more tasks of a job; those that run come to their end.",
  details: "A job that has ended already stays as it is.",
  examples: [
    ["mediafarm pause 12", "holds job 12 back until it is resumed"],
    ["mediafarm pause 12 --json", 'the same; prints {"id":"12","status":"active","substatus":"paused"}'],
  ],
});

export const resume = holding("resume", {
  summary: "Let a paused job, or one that waits for its time, go on.",
  details: "A job that is not held stays as it is.",
  examples: [
    ["mediafarm resume 12", "lets job 12 go on at once"],
    ["mediafarm resume 12 --json", 'the same; prints {"id":"12","status":"active","substatus":"waiting"}'],
  ],
});
