import { idempotencyHeader } from "../../shared/api.ts";
import { exactly, type ParsedCommand, textOf } from "../command.ts";
import { describeResult } from "../describe.ts";
import { readJsonObject } from "../json-file.ts";
import { watchToEnd } from "../watch.ts";

/** Submits a job file; with --wait stays until the job has ended. */
export const submit: ParsedCommand = {
  name: "submit",
  words: "FILE|-",
  summary: "Submit a job: a JSON file, or - for standard input.",
  details:
    "Prints the job's id; with --wait its progress and, at the end, what it made. Ctrl-C ends the waiting, never the job.",
  flags: {
    wait: { type: "boolean", help: "Stay until the job has ended; the exit status says how." },
    key: {
      type: "string",
      value: "NAME",
      help: "A name for this submission: sent again with it within 24 hours, the first one's job is answered.",
    },
  },
  offers: "files",
  examples: [
    ["mediafarm submit job.json --wait", "runs a job and shows what came out"],
    ["make-job | mediafarm submit - --json", 'queues what a script wrote; prints {"id":"12"}'],
  ],
  exits: ["130  Ctrl-C while waiting; the job goes on"],
  check: exactly(1, "submit", "one FILE, or - for standard input"),
  run: async ({ values, positionals, output, world, client: open }) => {
    const client = open();
    const job = await readJsonObject(positionals[0] ?? "-", world);
    const key = textOf(values, "key");
    const headers = key === undefined ? undefined : { [idempotencyHeader]: key };
    const { id } = await client.createJob(job as Parameters<typeof client.createJob>[0], { headers }); // checked there
    if (output.isJson) output.json({ id });
    else if (values.wait) output.problem(`Job ${id} is queued`);
    else output.text(`${JSON.stringify({ id })}\n`);
    if (!values.wait) return 0;
    const ended = await watchToEnd(client, id, { output, world });
    if (ended === "interrupted") return 130;
    const result = await client.getResult({ job_id: id });
    if (output.isJson) output.json(result);
    else output.text(describeResult(result));
    return ended === "completed" ? 0 : 1;
  },
};
