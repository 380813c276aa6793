import type { OutputOf } from "../../shared/api.ts";
import { sleep } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { exactly, type ParsedCommand } from "../command.ts";
import type { Output } from "../output.ts";
import { plain, plainLines } from "../text/width.ts";

type TaskLog = OutputOf<"getTaskLog">;
type Attempt = TaskLog["items"][number];

const pollMs = 1000;

/** What a task's attempts said, oldest first. */
export const logs: ParsedCommand = {
  name: "logs",
  words: "TASK_ID",
  summary: "Show the logs of a task's attempts, oldest first.",
  details: 'Task ids are in "mediafarm job ID". A node hands an attempt\'s log in when the attempt ends.',
  flags: { follow: { type: "boolean", help: "Stay until the task has ended, and print each log as it comes." } },
  examples: [
    ["mediafarm logs 34", "every attempt of task 34 under a heading"],
    ["mediafarm logs 34 --follow", "the same, and what comes until the task has ended"],
  ],
  check: exactly(1, "logs", "one task's ID"),
  run: async ({ values, positionals: [id = ""], output, world, client: open }) => {
    const client = open();
    const read = () => client.getTaskLog({ task_id: id });
    const print = createPrinter(output, values.follow === true);
    let log = await read();
    if (!values.follow && log.items.length === 0)
      output.problem(`Task ${id} (${plain(log.task.name)}) has not begun yet`);
    print(log);
    while (values.follow && log.task.status !== "completed" && log.task.status !== "failed") {
      await sleep(world.clock, pollMs);
      // A coordinator that is away comes back with the same task.
      log = await read().catch((problem) => {
        if (problem instanceof AppError && problem.code === "UNAVAILABLE") return log;
        throw problem;
      });
      print(log);
    }
    if (values.follow) output.problem(`Task ${id} ${log.task.status}`);
    return 0;
  },
};

/** Prints each attempt once, as far as it is known; while following, an attempt's text waits for its end. */
const createPrinter = (output: Output, isFollowing: boolean) => {
  const headed = new Set<number>();
  const told = new Set<number>();
  return ({ task, items }: TaskLog): void => {
    for (const each of items) {
      const { attempt, ended } = each;
      if (told.has(attempt)) continue;
      if (!headed.has(attempt) && !output.isJson) output.text(heading(each, output));
      headed.add(attempt);
      if (ended === null && isFollowing) continue;
      told.add(attempt);
      if (output.isJson) output.json({ task_id: task.id, ...each });
      else output.text(bodyOf(each));
    }
  };
};

const heading = ({ attempt, node, assigned, state, ended }: Attempt, { paint }: Output): string => {
  const words = ended === null ? "running" : `${state} ${ended}`;
  return `${paint("strong", `== Attempt ${attempt} on ${plain(node ?? "a node that is gone")}, begun ${assigned}, ${words}`)}\n`;
};

const bodyOf = ({ log, ended }: Attempt): string => {
  if (log === "") return ended === null ? "(its log comes when it ends)\n" : "(it left no log)\n";
  const text = plainLines(log);
  return text.endsWith("\n") ? text : `${text}\n`;
};
