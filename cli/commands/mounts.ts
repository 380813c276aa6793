import type { Client } from "../../shared/client.ts";
import { AppError } from "../../shared/errors.ts";
import { normalPrefix, splitMount } from "../../shared/mounts.ts";
import type { FarmMount } from "../../shared/protocol.ts";
import { type ParsedCommand, UsageError } from "../command.ts";
import type { Output } from "../output.ts";
import { type Column, formatTable } from "../text/table.ts";

/** The farm's mounts: listed, set, taken away. */
export const mounts: ParsedCommand = {
  name: "mounts",
  words: "[set PREFIX=DIR... | remove PREFIX...]",
  summary: "Show or change which folder on every node holds what has addresses with a prefix.",
  details:
    "A job names s3://bucket/a.mov; with the mount s3://bucket=/mnt/bucket each node reads /mnt/bucket/a.mov. A folder like Z:\\bucket or \\\\server\\share is for Windows nodes, any other for the rest; one prefix may have both. Jobs may read and write a mount's folder. A node's own --mount of the same prefix wins there.",
  flags: {},
  offers: ["set", "remove"],
  examples: [
    ["mediafarm mounts set s3://bucket=/mnt/bucket 's3://bucket=Z:\\bucket'", "one bucket for both kinds of nodes"],
    ["mediafarm mounts remove s3://bucket", "takes it away everywhere"],
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

/** Each knows the mounts as they were and puts all of them anew: that is what the API takes. */
const changes: Readonly<Record<string, Change>> = {
  set: async (open, words) => {
    const given = words.map(readMount);
    const client = open();
    const all = new Map((await client.listMounts({})).items.map(({ prefix, folders }) => [prefix, folders]));
    for (const { prefix, folders } of given) all.set(prefix, { ...all.get(prefix), ...folders });
    return put(client, all);
  },
  remove: async (open, words) => {
    const client = open();
    const all = new Map((await client.listMounts({})).items.map(({ prefix, folders }) => [prefix, folders]));
    for (const word of words) {
      if (!all.delete(normalPrefix(word)))
        throw new AppError("NOT_FOUND", `There is no mount of ${word} for the whole farm`);
    }
    return put(client, all);
  },
};

const put = async (client: Client, all: ReadonlyMap<string, FarmMount["folders"]>): Promise<FarmMount[]> =>
  (await client.setMounts({ items: [...all].map(([prefix, folders]) => ({ prefix, folders })) })).items;

const readMount = (text: string): FarmMount => {
  const mount = splitMount(text);
  if (!mount) throw new UsageError(`mounts set takes PREFIX=DIR, not "${text}"`);
  const isWindows = /^([a-z]:|\\\\)/i.test(mount.folder);
  return { prefix: normalPrefix(mount.prefix), folders: isWindows ? { win32: mount.folder } : { posix: mount.folder } };
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
