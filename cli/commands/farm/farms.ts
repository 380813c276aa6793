import { nothing, type ParsedCommand } from "../../command/command.ts";
import { chooseFarm, knownFarms } from "../../farms/credentials.ts";
import { farmFolder, farmName, runs } from "../../farms/farms.ts";
import { UsageError } from "../../terminal/flags.ts";
import type { Column } from "../../text/table.ts";

type Known = {
  readonly name: string;
  readonly data: string;
  readonly url: string;
  readonly running: boolean;
  readonly current: boolean;
};

/** The farms of this machine. */
export const farms: ParsedCommand = {
  details:
    "The first farm is the current one until you choose another with use. Other farms need --farm or --data in each command. If the current farm is stopped and was not chosen with use, commands go to the only running farm.",
  flags: {},
  examples: [
    ["mediafarm farms", "lists names, data folders, addresses and states"],
    ["mediafarm jobs --farm archive", "runs a command on another farm"],
  ],
  check: nothing("farms"),
  run: async ({ output, world }) => {
    const known = knownFarms(world.env);
    const current = farmFolder(known, {});
    const list = Object.entries(known?.farms ?? {}).map(
      ([data, { base_url: url }]): Known => ({
        name: farmName(data),
        data,
        url,
        running: runs(data),
        current: data === current,
      }),
    );
    output.list(list, columns, "No farm was started here yet. Start one: mediafarm up");
    return 0;
  },
};

const columns: readonly Column<Known>[] = [
  { title: "", text: ({ current }) => (current ? "*" : "") },
  { title: "NAME", text: ({ name }) => name },
  { title: "STATE", text: ({ running }) => (running ? "running" : "stopped") },
  { title: "ADDRESS", text: ({ url }) => url },
  { title: "DATA", text: ({ data }) => data, shrinks: true },
];

/** Chooses the farm that commands use. */
export const use: ParsedCommand = {
  details: "NAME is the farm's name or its data folder. Farms that start later do not replace it.",
  flags: {},
  examples: [
    ["mediafarm use archive", "commands without --farm or --data use the farm called archive"],
    ["mediafarm use ~/.mediafarm", "the same, by data folder"],
  ],
  run: async ({ positionals: [name, ...more], output, world }) => {
    if (name === undefined || more.length > 0) throw new UsageError("use takes the NAME of one farm");
    const data = chooseFarm(world.env, name);
    output.answer({ name: farmName(data), data }, `Commands now use ${farmName(data)} (${data})\n`);
    return 0;
  },
};
