import { exactly, type ParsedCommand, textsOf } from "../command.ts";

/** Runs what failed of a job again. */
export const retry: ParsedCommand = {
  name: "retry",
  words: "ID",
  summary: "Run what failed of a job again; finished outputs stay.",
  details: "A stopped job goes on where it was stopped. What was skipped behind a failure waits again.",
  flags: {
    all: { type: "boolean", help: "Run the whole job again" },
    task: { type: "string", multiple: true, value: "TASK_ID", help: "Retry only the element of this failed task" },
    replan: { type: "boolean", help: "Read the sources again first, since they were replaced" },
  },
  examples: [
    ["mediafarm retry 12", "queues the failed tasks of job 12 again"],
    ["mediafarm retry 12 --task 40", "queues the failed tasks of task 40's element again"],
  ],
  check: exactly(1, "retry", "one job's ID"),
  run: async ({ positionals: [id = ""], values, output, client }) => {
    const { tasks, elements } = await client().retryJob({
      job_id: id,
      scope: values.all ? "all" : "failed",
      task_ids: textsOf(values, "task"),
      ...(values.replan ? { replan: true } : {}),
    });
    if (output.isJson) output.json({ id, tasks, elements });
    else
      output.text(`Job ${id}: ${tasks.length} tasks are queued again, ${elements.length} elements are planned again\n`);
    return 0;
  },
};
