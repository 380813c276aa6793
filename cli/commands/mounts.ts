import type { Client } from "../../shared/client.ts";
import { mountAt, splitMount } from "../../shared/mounts.ts";
import type { FarmMount } from "../../shared/protocol.ts";
import { type ParsedCommand, UsageError } from "../command.ts";
import type { Output } from "../output.ts";
import { type Column, formatTable } from "../text/table.ts";

/** Lists, sets and removes the farm's mounts. */
export const mounts: ParsedCommand = {
  name: "mounts",
  words: "[set PREFIX=DIR... | remove PREFIX...]",
  summary: "Show or change the farm's mounts, which map addresses to folders on every node.",
  details:
    "If a job names s3://bucket/a.mov, with the mount s3://bucket=/mnt/bucket each node reads /mnt/bucket/a.mov. A folder like Z:\\bucket or \\\\server\\share is for Windows nodes, any other for the rest; one prefix may have both. Jobs may read and write a mount's folder. A node's own --mount of the same prefix takes precedence.",
  flags: {},
  offers: ["set", "remove"],
  examples: [
    [
      "mediafarm mounts set s3://bucket=/mnt/bucket 's3://bucket=Z:\\bucket'",
      "mounts one bucket on both kinds of nodes",
    ],
    ["mediafarm mounts remove s3://bucket", "removes it from all nodes"],
  ],
  run: async ({ positionals: [verb, ...words], output, client }) => {
    if (verb === undefined) {
      tell((await client().listMounts({})).items, output);
      return 0;
    }
    const change = changes[verb];
    if (!change) throw new UsageError(`mounts knows set and remove, not "${verb}"`);
    if (words.length === 0)
      throw new UsageError(`mounts ${verb} takes at least one ${verb === "set" ? "PREFIX=DIR" : "PREFIX"}`);
    tell(await change(client, words), output);
    return 0;
  },
};

type Change = (client: () => Client, words: readonly string[]) => Promise<FarmMount[]>;

/** Other mounts stay, including those that somebody else changes meanwhile. */
const changes: Readonly<Record<string, Change>> = {
  set: async (open, words) => {
    const set = words.map(readMount);
    return (await open().changeMounts({ set })).items;
  },
  remove: async (open, words) => (await open().changeMounts({ remove: [...words] })).items,
};

const readMount = (text: string): FarmMount => {
  const mount = splitMount(text);
  if (!mount) throw new UsageError(`mounts set takes PREFIX=DIR, not "${text}"`);
  return mountAt(mount.prefix, mount.folder);
};

const tell = (mounts: readonly FarmMount[], output: Output): void => {
  if (output.isJson) for (const each of mounts) output.json(each);
  else if (mounts.length > 0) output.text(formatTable(columns, mounts, output.width));
  else output.problem("The farm has no mounts. Set one: mediafarm mounts set s3://bucket=/mnt/bucket");
};

const columns: readonly Column<FarmMount>[] = [
  { title: "PREFIX", text: ({ prefix }) => prefix, shrinks: true },
  { title: "FOLDER", text: ({ folders }) => folders.posix ?? "-", shrinks: true },
  { title: "ON WINDOWS", text: ({ folders }) => folders.win32 ?? "-", shrinks: true },
];
