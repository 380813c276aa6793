import type { ComputeGroup } from "../../../shared/model/compute-group.ts";
import type { Call, ParsedCommand } from "../../command/command.ts";
import { one, runSubcommand } from "../../command/subcommands.ts";
import { tagsFlag } from "../../terminal/flags.ts";
import type { Column } from "../../text/table.ts";

/** Compute groups: listed, made or changed, deleted. Nodes join with `node ID --group`. */
export const groups: ParsedCommand = {
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
  run: (call) => runSubcommand("groups", call, verbs, list),
};

const list = async ({ client, output }: Call): Promise<void> =>
  output.list(
    (await client().listComputeGroups({})).items,
    columns,
    "The farm has no compute groups. Create one: mediafarm groups set gpu --provides gpu",
  );

const verbs = {
  set: one("NAME", async (call, name) => {
    const [provided_tags, mandatory_tags] = [tagsFlag(call.values, "provides"), tagsFlag(call.values, "mandatory")];
    await call.client().putComputeGroup({ name, provided_tags, mandatory_tags });
    await list(call);
  }),
  remove: one("NAME", async (call, name) => {
    await call.client().deleteComputeGroup({ name });
    await list(call);
  }),
};

const columns: readonly Column<ComputeGroup>[] = [
  { title: "NAME", text: ({ name }) => name, shrinks: true },
  { title: "PROVIDES", text: ({ provided_tags }) => provided_tags.join(",") || "-", shrinks: true },
  { title: "TAKES ONLY", text: ({ mandatory_tags }) => mandatory_tags.join(",") || "-", shrinks: true },
];
