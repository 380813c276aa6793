import type { ComputeGroup } from "../../shared/compute-group.ts";
import { type ParsedCommand, tagsOf, UsageError } from "../command.ts";
import type { Output } from "../output.ts";
import { type Column, formatTable } from "../text/table.ts";

/** Compute groups: listed, made or changed, deleted. Nodes join with `node ID --group`. */
export const groups: ParsedCommand = {
  name: "groups",
  words: "[set NAME | remove NAME]",
  summary: "Show, create or delete compute groups: nodes that share tags.",
  details:
    'A node provides its group\'s tags in addition to its own. With --mandatory it takes only tasks that have all of these tags. A node joins with "mediafarm node ID --group NAME".',
  flags: {
    provides: { type: "string", value: "a,b", help: "Tags that the group's nodes provide." },
    mandatory: { type: "string", value: "a,b", help: "Tags that a task must have to run there." },
  },
  offers: ["set", "remove"],
  examples: [
    ["mediafarm groups set gpu --provides gpu,nvenc", "creates the group, or sets its tags"],
    ["mediafarm groups set small --mandatory WATCH_FOLDER", "its nodes take only watch folders"],
  ],
  run: async ({ values, positionals: [verb, name, ...more], output, client }) => {
    if (verb !== undefined && verb !== "set" && verb !== "remove")
      throw new UsageError(`groups knows set and remove, not "${verb}"`);
    if (verb !== undefined && (name === undefined || more.length > 0))
      throw new UsageError(`groups ${verb} takes one NAME`);
    const farm = client();
    if (verb === "remove" && name !== undefined) await farm.deleteComputeGroup({ name });
    if (verb === "set" && name !== undefined) {
      const provided_tags = tagsOf(values, "provides");
      await farm.putComputeGroup({ name, provided_tags, mandatory_tags: tagsOf(values, "mandatory") });
    }
    tell((await farm.listComputeGroups({})).items, output);
    return 0;
  },
};

const tell = (all: readonly ComputeGroup[], output: Output): void => {
  if (output.isJson) for (const each of all) output.json(each);
  else if (all.length > 0) output.text(formatTable(columns, all, output.width));
  else output.problem("The farm has no compute groups. Create one: mediafarm groups set gpu --provides gpu");
};

const columns: readonly Column<ComputeGroup>[] = [
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "PROVIDES", text: ({ provided_tags }) => provided_tags.join(",") || "-", shrinks: true },
  { title: "TAKES ONLY", text: ({ mandatory_tags }) => mandatory_tags.join(",") || "-", shrinks: true },
];
