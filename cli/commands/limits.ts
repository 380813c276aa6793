import type { TagLimit, TagLimitNow } from "../../shared/compute-group.ts";
import { type ParsedCommand, UsageError } from "../command.ts";
import type { Output } from "../output.ts";
import { type Column, formatTable } from "../text/table.ts";

/** How many tasks with a tag may run at a time on the whole farm. */
export const limits: ParsedCommand = {
  name: "limits",
  words: "[set TAG=N... | remove TAG...]",
  summary: "Show or change how many tasks with a tag may run in parallel on the whole farm.",
  details: "For example for a licence with five seats. Tasks that already run beyond a new limit continue.",
  flags: {},
  offers: ["set", "remove"],
  examples: [
    ["mediafarm limits set dolby=5", "at most five tasks with the tag dolby run in parallel"],
    ["mediafarm limits remove dolby", "removes the limit"],
  ],
  run: async ({ positionals: [verb, ...words], output, client }) => {
    const change = verb === undefined ? undefined : changeOf(verb, words);
    const farm = client();
    tell((await (change ? farm.changeLimits(change) : farm.listLimits({}))).items, output);
    return 0;
  },
};

/** Changes only the named limits: changes that somebody else makes to other limits stay. */
const changeOf = (verb: string, words: readonly string[]): { set?: TagLimit[]; remove?: string[] } => {
  if (verb !== "set" && verb !== "remove") throw new UsageError(`limits knows set and remove, not "${verb}"`);
  if (words.length === 0) throw new UsageError(`limits ${verb} takes at least one ${verb === "set" ? "TAG=N" : "TAG"}`);
  if (verb === "remove") return { remove: [...words] };
  return { set: words.map(limitOf) };
};

const limitOf = (word: string): TagLimit => {
  const [, tag, most] = /^(.+)=(\d{1,7})$/.exec(word) ?? [];
  if (tag === undefined) throw new UsageError(`limits set takes TAG=N, not "${word}"`);
  return { tag, most: Number(most) };
};

const tell = (all: readonly TagLimitNow[], output: Output): void => {
  if (output.isJson) for (const each of all) output.json(each);
  else if (all.length > 0) output.text(formatTable(columns, all, output.width));
  else output.problem("The farm has no limits. Set one: mediafarm limits set TAG=N");
};

const columns: readonly Column<TagLimitNow>[] = [
  { title: "TAG", text: ({ tag }) => tag, shrinks: true },
  { title: "AT MOST", text: ({ most }) => String(most), align: "right" },
  { title: "RUN NOW", text: ({ running }) => String(running), align: "right" },
];
