import { exactly, type ParsedCommand } from "../../command/command.ts";
import { describeJob } from "../../jobs/describe-job.ts";
import { readJobView } from "../../jobs/job-view.ts";
import { watchToEnd } from "../../jobs/watch.ts";

/** One job: progress, tasks, outputs, errors, and what to do about them. */
export const job: ParsedCommand = {
  flags: { wait: { type: "boolean", help: "Wait until the job has ended; the exit status is 0 if it completed." } },
  examples: [
    ["mediafarm job 12", "shows the state of job 12"],
    ["mediafarm job 12 --wait", "watches it until it ends"],
  ],
  exits: ["130  Ctrl-C while waiting; the job continues"],
  check: exactly(1, "job", "one job's ID"),
  run: async ({ values, positionals: [id = ""], output, world, client: open }) => {
    const client = open();
    await client.getJobInfo({ job_id: id }); // fails at once if there is none
    if (values.wait && (await watchToEnd(client, id, { output, world })) === "interrupted") return 130;
    const view = await readJobView(client, id);
    output.answer(view, describeJob(view, output, world.clock.now()));
    return values.wait && view.job.status !== "completed" ? 1 : 0;
  },
};
