import { idempotencyHeader } from "../../../shared/api/idempotency.ts";
import { exactly, type ParsedCommand } from "../../command/command.ts";
import { describeResult } from "../../jobs/describe.ts";
import { watchToEnd } from "../../jobs/watch.ts";
import { textFlag } from "../../terminal/flags.ts";
import { readJsonObject } from "../../terminal/json-file.ts";

/** Submits a job file; with --wait waits until the job has ended. */
export const submit: ParsedCommand = {
  details:
    "Prints the job's id; with --wait also its progress and finally its outputs. Ctrl-C stops waiting, never the job.",
  flags: {
    wait: { type: "boolean", help: "Wait until the job has ended; the exit status is 0 if it completed." },
    key: {
      type: "string",
      value: "NAME",
      help: "An idempotency key: submitting again with it within 24 hours returns the first job.",
    },
  },
  offers: "files",
  examples: [
    ["mediafarm submit job.json --wait", "runs a job and shows its outputs"],
    ["make-job | mediafarm submit - --json", 'queues the output of a script; prints {"id":"12"}'],
  ],
  exits: ["130  Ctrl-C while waiting; the job continues"],
  check: exactly(1, "submit", "one FILE, or - for standard input"),
  run: async ({ values, positionals, output, world, client: open }) => {
    const client = open();
    const job = await readJsonObject(positionals[0] ?? "-", world);
    const key = textFlag(values, "key");
    const headers = key === undefined ? undefined : { [idempotencyHeader]: key };
    const { id, warnings = [] } = await client.createJob(job as Parameters<typeof client.createJob>[0], { headers }); // checked there
    if (output.isJson) output.json({ id, ...(warnings.length > 0 && { warnings }) });
    else if (values.wait) output.problem(`Job ${id} is queued`);
    else output.text(`${JSON.stringify({ id })}\n`);
    if (!output.isJson) for (const warning of warnings) output.problem(`Warning: ${warning}`);
    if (!values.wait) return 0;
    const ended = await watchToEnd(client, id, { output, world });
    if (ended === "interrupted") return 130;
    const result = await client.getResult({ job_id: id });
    output.answer(result, describeResult(result));
    return ended === "completed" ? 0 : 1;
  },
};
