import { type ParsedCommand, UsageError } from "../command.ts";
import { chooseFarm, knownFarms } from "../credentials.ts";
import { farmFolder, farmName, runs } from "../farms.ts";
import { type Column, formatTable } from "../text/table.ts";

type Known = {
  readonly name: string;
  readonly data: string;
  readonly url: string;
  readonly running: boolean;
  readonly current: boolean;
};

/** The farms of this machine. */
export const farms: ParsedCommand = {
  name: "farms",
  words: "",
  summary: "List the farms that were started here, and mark the one that commands speak to.",
  details:
    "The first farm is the current one until use names another. One that is started beside it takes no commands unless they name it with --farm or --data; where the current one stands still and nobody chose it, commands go to the only one that runs.",
  flags: {},
  examples: [
    ["mediafarm farms", "names, data folders, addresses, and which of them run"],
    ["mediafarm jobs --farm archive", "a command for another farm than the marked one"],
  ],
  check: (positionals) => (positionals.length > 0 ? `farms takes no "${positionals[0]}"` : undefined),
  run: async ({ output, world }) => {
    const known = knownFarms(world.env);
    const current = farmFolder(known, {});
    const list = Object.entries(known?.farms ?? {}).map(
      ([data, { base_url: url }]): Known => ({
        ...{ name: farmName(data), data, url, running: runs(data), current: data === current },
      }),
    );
    if (output.isJson) for (const each of list) output.json(each);
    else if (list.length > 0) output.text(formatTable(columns, list, output.width));
    else output.problem(`No farm was started here yet: "mediafarm up" starts one`);
    return 0;
  },
};

const columns: readonly Column<Known>[] = [
  { title: "", text: ({ current }) => (current ? "*" : "") },
  { title: "NAME", text: ({ name }) => name },
  { title: "STATE", text: ({ running }) => (running ? "runs" : "stands still") },
  { title: "ADDRESS", text: ({ url }) => url },
  { title: "DATA", text: ({ data }) => data, shrinks: true },
];

/** Says which farm commands speak to. */
export const use: ParsedCommand = {
  name: "use",
  words: "NAME",
  summary: "Let commands speak to this farm from now on.",
  details: "NAME is the farm's name, or its data folder. No farm that starts later takes its place.",
  flags: {},
  examples: [
    ["mediafarm use archive", "commands without --farm or --data go to the farm called archive"],
    ["mediafarm use ~/.mediafarm", "the same by the data folder"],
  ],
  run: async ({ positionals: [name, ...more], output, world }) => {
    if (name === undefined || more.length > 0) throw new UsageError("use takes the NAME of one farm");
    const data = chooseFarm(world.env, name);
    if (output.isJson) output.json({ name: farmName(data), data });
    else output.text(`Commands speak to ${farmName(data)} (${data}) from now on\n`);
    return 0;
  },
};
