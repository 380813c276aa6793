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
    const { tasks, elements, held } = await client().retryJob({
      job_id: id,
      scope: values.all ? "all" : "failed",
      task_ids: textsFlag(values, "task"),
      ...(values.replan ? { replan: true } : {}),
    });
    const text = `Job ${id}: ${retriedText(tasks.length, elements.length)}\n${held ? heldTexts[held](id) : ""}`;
    output.answer({ id, tasks, elements, held }, text);
    return 0;
  },
};

const retriedText = (tasks: number, elements: number): string =>
  [
    `${tasks} ${tasks === 1 ? "task is" : "tasks are"} queued again`,
    `${elements} ${elements === 1 ? "element is" : "elements are"} planned again`,
  ].join(", ");

/** Who retries a job that was paused when it was stopped would wait for it in vain. */
const heldTexts: Readonly<Record<"paused" | "scheduled", (id: string) => string>> = {
  paused: (id) => `It is still paused, and starts nothing before it is resumed: mediafarm resume ${id}\n`,
  scheduled: (id) => `It still waits for its start time. Start it now: mediafarm resume ${id}\n`,
};
