import { type FarmMount, mountAt, splitMount } from "../../../shared/files/mounts.ts";
import type { ParsedCommand } from "../../command/command.ts";
import { runSubcommand, some } from "../../command/subcommands.ts";
import { UsageError } from "../../terminal/flags.ts";
import type { Output } from "../../terminal/output.ts";
import type { Column } from "../../text/table.ts";

/** Lists, sets and removes the farm's mounts. */
export const mounts: ParsedCommand = {
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
  run: (call) =>
    runSubcommand("mounts", call, verbs, async ({ client, output }) =>
      tell((await client().listMounts({})).items, output),
    ),
};

/** Other mounts stay, including those that somebody else changes meanwhile. */
const verbs = {
  set: some("PREFIX=DIR", async ({ client, output }, words) => {
    const set = words.map(readMount);
    tell((await client().changeMounts({ set })).items, output);
  }),
  remove: some("PREFIX", async ({ client, output }, words) =>
    tell((await client().changeMounts({ remove: [...words] })).items, output),
  ),
};

const readMount = (text: string): FarmMount => {
  const mount = splitMount(text);
  if (!mount) throw new UsageError(`mounts set takes PREFIX=DIR, not "${text}"`);
  return mountAt(mount.prefix, mount.folder);
};

const tell = (mounts: readonly FarmMount[], output: Output): void =>
  output.list(mounts, columns, "The farm has no mounts. Set one: mediafarm mounts set s3://bucket=/mnt/bucket");

const columns: readonly Column<FarmMount>[] = [
  { title: "PREFIX", text: ({ prefix }) => prefix, shrinks: true },
  { title: "FOLDER", text: ({ folders }) => folders.posix ?? "-", shrinks: true },
  { title: "ON WINDOWS", text: ({ folders }) => folders.win32 ?? "-", shrinks: true },
];
