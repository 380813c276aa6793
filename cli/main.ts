#!/usr/bin/env node
import { parseArgs } from "node:util";
import { AppError, messageOf } from "../shared/errors.ts";
import type { ParsedCommand } from "./command.ts";
import { commands } from "./commands/index.ts";
import { createOutput, type Output } from "./output.ts";

const usage = `Usage: mediafarm COMMAND [options]

${commands.map(({ usage: line, summary }) => `  ${line}\n      ${summary}`).join("\n")}

Every command takes --json (one JSON document a line on stdout) and --help.
Exit status: 0 done, 1 the job failed or the request was refused, 2 wrong usage.
`;

/** Runs one command and returns the exit status. */
const run = async (argv: readonly string[], output: Output): Promise<number> => {
  const [name, ...rest] = argv;
  const command = commands.find((each) => each.name === name);
  if (command === undefined) {
    const isHelp = name === "--help" || name === "help" || name === undefined;
    if (isHelp && name !== undefined) output.text(usage);
    else output.problem(`${name === undefined ? "No command given" : `There is no command "${name}"`}\n\n${usage}`);
    return isHelp && name !== undefined ? 0 : 2;
  }
  if (rest.includes("--help")) {
    output.text(`Usage: mediafarm ${command.usage}\n\n${command.summary}\n`);
    return 0;
  }
  return "passOn" in command ? command.passOn(rest) : runCommand(command, rest, output);
};

const runCommand = async (command: ParsedCommand, argv: readonly string[], output: Output): Promise<number> => {
  const parsed = parse(command, argv);
  if (typeof parsed === "string") {
    output.problem(`${parsed}\nUsage: mediafarm ${command.usage}`);
    return 2;
  }
  try {
    return await command.run(parsed);
  } catch (problem) {
    reportProblem(problem, output);
    return 1;
  }
};

const parse = (command: ParsedCommand, argv: readonly string[]) => {
  try {
    const options = { json: { type: "boolean" }, ...command.options } as const;
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const wrong = command.check?.(positionals);
    if (wrong) return wrong;
    return { values, positionals, output: createOutput(values.json === true) };
  } catch (problem) {
    return messageOf(problem);
  }
};

/** What a person can act on is said in words; anything else is a bug, and its trace helps whoever mends it. */
const reportProblem = (problem: unknown, output: Output): void => {
  if (!(problem instanceof AppError)) {
    output.problem(
      `Internal error: ${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}`,
    );
    return;
  }
  output.problem(problem.message);
  for (const { path, message } of problem.details.slice(0, 20)) output.problem(`  ${path}: ${message}`);
};

process.exitCode = await run(process.argv.slice(2), createOutput(process.argv.includes("--json")));
