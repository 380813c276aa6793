import { exactly, type ParsedCommand } from "../command.ts";
import { describeJob } from "../describe-job.ts";
import { readJobView } from "../job-view.ts";
import { watchToEnd } from "../watch.ts";

/** One job: how far it is, its tasks, what it made, what went wrong and what to do about it. */
export const job: ParsedCommand = {
  name: "job",
  words: "ID",
  summary: "Show one job: its tasks, what it made, what went wrong and what can be done about it.",
  flags: { wait: { type: "boolean", help: "Stay until the job has ended; the exit status says how." } },
  examples: [
    ["mediafarm job 12", "how job 12 stands"],
    ["mediafarm job 12 --wait", "watches it to its end"],
  ],
  exits: ["130  Ctrl-C while waiting; the job goes on"],
  check: exactly(1, "job", "one job's ID"),
  run: async ({ values, positionals: [id = ""], output, world, client: open }) => {
    const client = open();
    await client.getJobInfo({ job_id: id }); // says at once that there is none
    if (values.wait && (await watchToEnd(client, id, { output, world })) === "interrupted") return 130;
    const view = await readJobView(client, id);
    if (output.isJson) output.json(view);
    else output.text(describeJob(view, output, world.clock.now()));
    return values.wait && view.job.status !== "completed" ? 1 : 0;
  },
};
