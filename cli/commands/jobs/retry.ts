import { exactly, type ParsedCommand } from "../../command/command.ts";
import { textsFlag } from "../../terminal/flags.ts";

/** Runs the failed parts of a job again. */
export const retry: ParsedCommand = {
  details: "A stopped job continues where it was stopped. Elements that were skipped after a failure wait again.",
  flags: {
    all: { type: "boolean", help: "Run the whole job again." },
    task: { type: "string", multiple: true, value: "TASK_ID", help: "Retry only the element of this failed task." },
    replan: { type: "boolean", help: "Probe the sources again first, if they were replaced." },
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
      task_ids: textsFlag(values, "task"),
      ...(values.replan ? { replan: true } : {}),
    });
    const text = `Job ${id}: ${tasks.length} tasks are queued again, ${elements.length} elements are planned again\n`;
    output.answer({ id, tasks, elements }, text);
    return 0;
  },
};
