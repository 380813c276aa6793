import type { TagLimit, TagLimitNow } from "../../../shared/model/compute-group.ts";
import type { ParsedCommand } from "../../command/command.ts";
import { runSubcommand, some } from "../../command/subcommands.ts";
import { UsageError } from "../../terminal/flags.ts";
import type { Output } from "../../terminal/output.ts";
import type { Column } from "../../text/table.ts";

/** How many tasks with a tag may run at a time on the whole farm. */
export const limits: ParsedCommand = {
  details: "For example for a licence with five seats. Tasks that already run beyond a new limit continue.",
  flags: {},
  offers: ["set", "remove"],
  examples: [
    ["mediafarm limits set dolby=5", "at most five tasks with the tag dolby run in parallel"],
    ["mediafarm limits remove dolby", "removes the limit"],
  ],
  run: (call) =>
    runSubcommand("limits", call, verbs, async ({ client, output }) =>
      tell((await client().listLimits({})).items, output),
    ),
};

/** Only the named limits change: changes that somebody else makes to other limits stay. */
const verbs = {
  set: some("TAG=N", async ({ client, output }, words) => {
    const set = words.map(limitOf);
    tell((await client().changeLimits({ set })).items, output);
  }),
  remove: some("TAG", async ({ client, output }, words) =>
    tell((await client().changeLimits({ remove: [...words] })).items, output),
  ),
};

const limitOf = (word: string): TagLimit => {
  const [, tag, most] = /^(.+)=(\d{1,7})$/.exec(word) ?? [];
  if (tag === undefined) throw new UsageError(`limits set takes TAG=N, not "${word}"`);
  return { tag, most: Number(most) };
};

const tell = (all: readonly TagLimitNow[], output: Output): void =>
  output.list(all, columns, "The farm has no limits. Set one: mediafarm limits set TAG=N");

const columns: readonly Column<TagLimitNow>[] = [
  { title: "TAG", text: ({ tag }) => tag, shrinks: true },
  { title: "AT MOST", text: ({ most }) => String(most), align: "right" },
  { title: "RUN NOW", text: ({ running }) => String(running), align: "right" },
];
