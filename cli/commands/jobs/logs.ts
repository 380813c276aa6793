import type { OutputOf } from "../../../shared/api/api.ts";
import { sleep } from "../../../shared/basics/clock.ts";
import { AppError } from "../../../shared/basics/errors.ts";
import { textAfter } from "../../../shared/basics/log-buffer.ts";
import { costWords, reachedWords } from "../../../shared/model/attempt.ts";
import { exactly, type ParsedCommand } from "../../command/command.ts";
import type { Output } from "../../terminal/output.ts";
import { plain, plainLines } from "../../text/width.ts";

type TaskLog = OutputOf<"getTaskLog">;
type Attempt = TaskLog["items"][number];

const pollMs = 1000;

/** The logs of a task's attempts, oldest first. */
export const logs: ParsedCommand = {
  details: 'Task ids are in "mediafarm job ID". For a running attempt, they show the log so far.',
  flags: {
    follow: { type: "boolean", short: "f", help: "Print new lines until the task has ended. Short form: -f." },
  },
  examples: [
    ["mediafarm logs 34", "prints every attempt of task 34 under a heading"],
    ["mediafarm logs 34 -f", "the same, and new lines until the task has ended"],
  ],
  check: exactly(1, "logs", "one task's ID"),
  run: async ({ values, positionals: [id = ""], output, world, client: open }) => {
    const client = open();
    const read = () => client.getTaskLog({ task_id: id });
    const print = createPrinter(output, values.follow === true);
    let log = await read();
    if (!values.follow && log.items.length === 0)
      output.problem(`Task ${id} (${plain(log.task.name)}) ${whyEmpty(log.task)}`);
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

const whyEmpty = ({ status, job_id }: TaskLog["task"]): string => {
  if (status === "failed") return `failed before any attempt began: "mediafarm job ${job_id}" says why`;
  return status === "completed" ? "needed no attempt" : "has not begun yet";
};

/** Prints each attempt's new log text. JSON documents are printed only once they are complete. */
const createPrinter = (output: Output, isFollowing: boolean) => {
  const headed = new Set<number>();
  const seen = new Map<number, number>();
  const ended = new Set<number>();
  const printText = (each: Attempt): void => {
    if (!headed.has(each.attempt)) output.text(heading(each, output));
    headed.add(each.attempt);
    const { text, written } = textAfter(each.log, seen.get(each.attempt) ?? 0);
    seen.set(each.attempt, written);
    if (text !== "") output.text(plainLines(text));
    if (each.ended === null && isFollowing) return;
    ended.add(each.attempt);
    if (written === 0) output.text(each.ended === null ? "(no output yet)\n" : "(no log)\n");
    else if (!each.log.endsWith("\n")) output.text("\n");
    output.text(ending(each, output));
  };
  return ({ task, items }: TaskLog): void => {
    for (const each of items) {
      if (ended.has(each.attempt)) continue;
      if (!output.isJson) printText(each);
      else if (each.ended !== null || !isFollowing) {
        ended.add(each.attempt);
        output.json({ task_id: task.id, ...each });
      }
    }
  };
};

const heading = ({ attempt, node, assigned, state, ended }: Attempt, { paint }: Output): string => {
  const words = ended === null ? "running" : `${state} ${ended}`;
  return `${paint("strong", `== Attempt ${attempt} on ${plain(node ?? "a deleted node")}, begun ${assigned}, ${words}`)}\n`;
};

/** The cost of the attempt and why it failed, printed below its log. */
const ending = ({ cost, reached, failure }: Attempt, { paint }: Output): string => {
  const why = failure && `${failure.cause}: ${plain(failure.message)}`;
  const code = failure && failure.exit_code !== null ? ` (status ${failure.exit_code})` : "";
  return [
    ...(cost ? [paint("faint", `It took ${costWords(cost).join(", ")}`)] : []),
    ...(reached ? [paint("faint", `When it was last heard of: ${reachedWords(reached)}`)] : []),
    ...(why === null ? [] : [paint("bad", `It failed, ${why}${code}`)]),
  ]
    .map((line) => `${line}\n`)
    .join("");
};
