import { readFileSync } from "node:fs";
import { noHash } from "../../../coordinator/store/trail.ts";
import { createChainCheck } from "../../../coordinator/trail/check.ts";
import { AppError, messageOf } from "../../../shared/basics/errors.ts";
import { type TrailLine, trailLine } from "../../../shared/people/trail.ts";
import type { Call, ParsedCommand } from "../../command/command.ts";
import { numberFlag, textFlag, UsageError } from "../../terminal/flags.ts";
import type { Output } from "../../terminal/output.ts";
import type { Column } from "../../text/table.ts";

const mostAtOnce = 500;

/** Who changed what, or was refused, and whether the record of it is whole. */
export const audit: ParsedCommand = {
  details:
    "Every change leaves a line, and every refusal: by people, programs and nodes, and from where. Each line's hash covers the line before. --verify follows this chain through all lines, and tells the first that was removed, altered or moved; with FILE it does that for a file that --export wrote, and needs no farm. Lines are kept until there are a million; a part of the chain is checked as the whole.",
  flags: {
    text: {
      type: "string",
      value: "WORDS",
      help: "Only lines with these words: a name, an address, an action, an id.",
    },
    refused: { type: "boolean", help: "Only what was refused." },
    take: { type: "string", value: "N", help: "How many lines, the newest first.", default: "50" },
    export: { type: "boolean", help: "Print all lines as JSON, one a line, the oldest first." },
    verify: { type: "boolean", help: "Check the chain, of the farm or of FILE." },
  },
  offers: "files",
  examples: [
    ["mediafarm audit --text ada --take 20", "prints the last 20 lines that name ada"],
    ["mediafarm audit --export > audit.jsonl", "writes all lines into a file"],
    ["mediafarm audit --verify audit.jsonl", "checks that nothing in this file was changed"],
  ],
  exits: ["1 also means: --verify found something wrong"],
  check: (words) => (words.length > 1 ? `audit takes one FILE, with --verify` : undefined),
  run: (call) => {
    const { positionals, values } = call;
    const [file] = positionals;
    if (file !== undefined && !values.verify) throw new UsageError("audit takes a FILE only with --verify");
    if (values.verify) return file === undefined ? verifyFarm(call) : verifyFile(file, call);
    return values.export ? exportAll(call) : list(call);
  },
};

const list = async ({ values, machine, output }: Call): Promise<number> => {
  const text = textFlag(values, "text");
  const asked = {
    take: Math.min(mostAtOnce, numberFlag(values, "take", mostAtOnce) ?? 50),
    ...(text !== undefined && { text }),
    ...(values.refused && { outcome: "refused" as const }),
  };
  output.list((await machine().request("listTrail", asked)).items, columns, "No line of the audit matches.");
  return 0;
};

const columns: readonly Column<TrailLine>[] = [
  { title: "NR", text: ({ id }) => String(id), align: "right" },
  { title: "AT", text: ({ at }) => at },
  { title: "WHO", text: ({ who }) => who, shrinks: true },
  { title: "FROM", text: ({ origin }) => origin },
  { title: "ACTION", text: ({ action }) => action },
  { title: "OUTCOME", text: ({ outcome }) => outcome },
  { title: "ABOUT", text: ({ about }) => about, shrinks: true },
];

const exportAll = async ({ machine, output }: Call): Promise<number> => {
  const { request } = machine();
  for (let after = 0; ; ) {
    const { items } = await request("listTrail", { after, take: mostAtOnce });
    for (const line of items) output.json(line);
    const last = items.at(-1);
    if (!last || items.length < mostAtOnce) return 0;
    after = last.id;
  }
};

type Checked = {
  readonly lines: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly problem: string | null;
};

const verifyFarm = async ({ machine, output }: Call): Promise<number> =>
  tell(await machine().request("checkTrail", {}), output);

/** The first line has no line before it here, unless it is the first of all; the others are chained to it. */
const verifyFile = async (file: string, { output }: Call): Promise<number> => {
  const lines = readLines(file);
  const [first] = lines;
  const about = { lines: lines.length, first: first?.id ?? null, last: lines.at(-1)?.id ?? null };
  const before = first?.id === 1 ? noHash : undefined;
  const chain = createChainCheck(first?.id ?? 1, before);
  const problem = lines
    .map((line) => chain.take({ ...line, at: Date.parse(line.at) }))
    .find((each) => each !== undefined);
  return tell({ ...about, problem: problem ?? null }, output);
};

const readLines = (file: string): TrailLine[] => {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => trailLine.parse(JSON.parse(line)));
  } catch (cause) {
    throw new AppError(
      "VALIDATION_FAILED",
      `${file} is not what mediafarm audit --export writes: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
};

const tell = (checked: Checked, output: Output): number => {
  const { lines, first, last, problem } = checked;
  const range = lines === 0 ? "no lines yet" : `${lines} lines, ${first} to ${last}`;
  output.answer(
    checked,
    problem === null ? `The audit is whole: ${range}\n` : `The audit was changed. ${problem} (${range})\n`,
  );
  return problem === null ? 0 : 1;
};
