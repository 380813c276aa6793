import type { Flag, Flags } from "../terminal/flags.ts";
import type { Command, CommandEntry } from "./command.ts";

/** Flags of every verb. */
export const commonFlags = {
  json: { type: "boolean", help: "Print only JSON on stdout, one document per line." },
  help: { type: "boolean", help: "Show help for this command." },
} as const satisfies Flags;

const groups: readonly (readonly [title: string, verbs: readonly string[]])[] = [
  ["Run a farm", ["up", "agent"]],
  ["Work with jobs", ["submit", "jobs", "job", "stop", "delete", "logs"]],
  ["Manage the farm", ["nodes", "node", "mounts"]],
];

/** All verbs with a sentence each. */
export const overview = (commands: readonly CommandEntry[], width: number): string => {
  const grouped = new Set(groups.flatMap(([, verbs]) => verbs));
  const others = commands.filter(({ name }) => !grouped.has(name)).map(({ name }) => name);
  const parts = [...groups, ["More", others] as const].map(([title, verbs]) => {
    const rows = verbs.flatMap((verb) => commands.filter(({ name }) => name === verb));
    return `${title}\n${twoColumns(
      rows.map(({ name, words, summary }) => [`${name} ${words}`.trim(), summary]),
      width,
    )}`;
  });
  return `Mediafarm: turns your workstations into a media-processing farm.

Usage: mediafarm COMMAND [flags]

${parts.join("\n\n")}

Start with:
  mediafarm up --root ~/media                  start a farm that may use this folder
  mediafarm submit job.json --wait             in another terminal: run a job to its end

Every command takes --json (one JSON document per line on stdout; logs go to stderr) and --help.
Exit status: 0 done, 1 the job failed or the request was refused, 2 wrong usage.
`;
};

/** One verb: usage, every flag with a sentence and its default, examples, exit statuses. */
export const formatHelp = (command: Command, width: number): string => {
  const flags = Object.entries({ ...command.flags, ...commonFlags } as Flags);
  const sections = [
    `Usage: mediafarm ${formatUsage(command)}`,
    wrap([command.summary, command.details].filter(Boolean).join(" "), Math.min(width, 100)).join("\n"),
    `Flags\n${twoColumns(
      flags.map(([name, flag]) => [flagText(name, flag), sentenceOf(flag)]),
      width,
    )}`,
    `Examples\n${command.examples.map(([line, does]) => `  ${line}\n      ${does}`).join("\n")}`,
    `Exit status\n  ${["0  done", "1  failed or refused", "2  wrong usage", ...(command.exits ?? [])].join("\n  ")}`,
  ];
  return `${sections.join("\n\n")}\n`;
};

/** `up [--data DIR] [--root DIR]...` */
export const formatUsage = ({ name, words, flags }: Command): string =>
  [name, words, ...Object.entries(flags).map(([flag, each]) => optional(flag, each))].filter(Boolean).join(" ");

const optional = (name: string, flag: Flag): string => `[${flagText(name, flag)}]${flag.multiple ? "..." : ""}`;
const flagText = (name: string, { value }: Flag): string => `--${name}${value ? ` ${value}` : ""}`;

const sentenceOf = (flag: Flag): string =>
  [flag.help, flag.multiple ? "Repeatable." : "", flag.default === undefined ? "" : `Default: ${flag.default}.`]
    .filter(Boolean)
    .join(" ");

const leftWidth = 26;

/** Terms on the left, sentences on the right, a long term on a line of its own. */
const twoColumns = (rows: readonly (readonly [string, string])[], width: number): string =>
  rows
    .map(([term, sentence]) => {
      const [first = "", ...rest] = wrap(sentence, Math.max(30, Math.min(width, 110) - leftWidth - 2));
      const indent = " ".repeat(leftWidth + 2);
      const head = term.length < leftWidth ? `  ${term.padEnd(leftWidth)}${first}` : `  ${term}\n${indent}${first}`;
      return [head, ...rest.map((line) => indent + line)].join("\n");
    })
    .join("\n");

const wrap = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};
