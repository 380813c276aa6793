import { parseArgs } from "node:util";
import packageJson from "../package.json" with { type: "json" };
import { AppError, messageOf } from "../shared/basics/errors.ts";
import { nearest } from "../shared/basics/nearest-name.ts";
import { type Call, type Command, type CommandEntry, loadCommand, type ParsedCommand } from "./command/command.ts";
import { commonFlags, formatHelp, formatUsage, overview } from "./command/help.ts";
import { commands } from "./commands/index.ts";
import { type Flags, UsageError, type Values } from "./terminal/flags.ts";
import { createOutput, type Output } from "./terminal/output.ts";
import type { World } from "./terminal/world.ts";

/** Runs one command and resolves with the exit status: 0 done, 1 failed or refused, 2 wrong usage. */
export const runCli = async (argv: readonly string[], world: World): Promise<number> => {
  const [name, ...rest] = argv;
  const output = createOutput(argv.includes("--json"), world);
  if (name === "--version") return tellVersion(output);
  if (name === "help" || name === "--help" || name === "-h") return help(asksForHelp(rest) ? "help" : rest[0], output);
  const entry = entryOf(name);
  if (entry === undefined) return refuseVerb(name, output);
  if (asksForHelp(rest)) return help(name, output);
  const command = await loadCommand(entry);
  if (!("passOn" in command)) return runCommand(command, rest, output, world);
  world.outliveReader();
  return command.passOn(rest);
};

const entryOf = (name: string | undefined): CommandEntry | undefined => commands.find((each) => each.name === name);

/** Words after `--` are never flags. */
const asksForHelp = (words: readonly string[]): boolean => {
  const end = words.indexOf("--");
  return words.slice(0, end < 0 ? undefined : end).some((word) => word === "--help" || word === "-h");
};

const tellVersion = (output: Output): number => {
  const { version } = packageJson;
  output.answer({ version }, `mediafarm ${version}\n`);
  return 0;
};

const help = async (verb: string | undefined, output: Output): Promise<number> => {
  const entry = entryOf(verb);
  if (entry === undefined && verb !== undefined && !verb.startsWith("-") && verb !== "help")
    return refuseVerb(verb, output);
  output.text(entry ? formatHelp(await loadCommand(entry), output.width) : overview(commands, output.width));
  return 0;
};

const refuseVerb = (name: string | undefined, output: Output): number => {
  if (name === undefined) {
    output.problem(`No command given.\n\n${overview(commands, output.columns)}`);
    return 2;
  }
  const meant = nearest(
    name,
    commands.map((command) => command.name),
  );
  const hint = meant ? `Did you mean "${meant}"?` : `"mediafarm help" lists them all.`;
  output.problem(`There is no command "${name}". ${hint}`);
  return 2;
};

const runCommand = async (
  command: Command & ParsedCommand,
  argv: readonly string[],
  output: Output,
  world: World,
): Promise<number> => {
  const parsed = parse(command, argv);
  if (typeof parsed === "string") return refuseUsage(command, parsed, output);
  try {
    return await command.run({ ...parsed, output, world, ...(await farmOf(parsed.values, world)) });
  } catch (problem) {
    if (problem instanceof UsageError) return refuseUsage(command, problem.message, output);
    reportProblem(problem, output);
    return 1;
  }
};

/** Loaded only when a command runs: the clients know every answer of a farm, and help needs none of it. */
const farmOf = async (values: Values, { env }: World): Promise<Pick<Call, "client" | "machine">> => {
  const [{ openClient }, { openMachine }] = await Promise.all([
    import("./farms/client.ts"),
    import("./farms/machine.ts"),
  ]);
  return { client: () => openClient(values, env), machine: () => openMachine(values, env) };
};

const parse = (command: ParsedCommand, argv: readonly string[]): Pick<Call, "values" | "positionals"> | string => {
  const flags: Flags = { ...command.flags, ...commonFlags };
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, multiple = false, short }]) => [
      name,
      { type, multiple, ...(short && { short }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    return command.check?.(positionals) ?? { values, positionals };
  } catch (problem) {
    return wrongFlag(messageOf(problem), Object.keys(flags));
  }
};

/** The parser's message, and the flag that was probably meant. */
const wrongFlag = (message: string, names: readonly string[]): string => {
  const [sentence = message] = message.split(/\. (?=To specify)/);
  const unknown = /^Unknown option '--([^']+)'/.exec(message)?.[1];
  const meant = unknown && nearest(unknown, names);
  return meant ? `${sentence}. Did you mean "--${meant}"?` : sentence;
};

const refuseUsage = (command: Command, problem: string, output: Output): number => {
  output.problem(`${problem}\nUsage: mediafarm ${formatUsage(command)}\nMore with: mediafarm help ${command.name}`);
  return 2;
};

/** Prints an error that a person can act on; anything else is a bug, printed with its trace. */
const reportProblem = (problem: unknown, output: Output): void => {
  if (!(problem instanceof AppError)) {
    output.problem(
      `Internal error: ${problem instanceof Error ? (problem.stack ?? problem.message) : String(problem)}`,
    );
    return;
  }
  output.problem(problem.message);
  const details = problem.details.map(({ path, message }) => ({ message, line: `${path}: ${message}` }));
  // The message of an invalid request is its first fault.
  for (const { message, line } of details.slice(0, 20)) {
    if (message !== problem.message && !problem.message.startsWith(line)) output.problem(`  ${line}`);
  }
};
