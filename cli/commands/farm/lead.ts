import type { LeadView } from "../../../shared/api/lead.ts";
import { nothing, type ParsedCommand } from "../../command/command.ts";

/** Which coordinator leads; --give hands the farm over. */
export const lead: ParsedCommand = {
  details:
    "Run it on the machine of the coordinator that leads. --give is how a coordinator is upgraded or its machine restarted without a stop: another one that stands by takes over within about a second, nodes go on with their tasks, and this one stands by afterwards.",
  flags: { give: { type: "boolean", help: "Hand the farm over to a coordinator that stands by." } },
  examples: [
    ["mediafarm lead", "which coordinator leads, and which ones stand by"],
    ["mediafarm lead --give", "hands the farm over; the one that led stands by"],
  ],
  check: nothing("lead"),
  run: async ({ values, output, machine }) => {
    const { request } = machine();
    const found = await request(values.give ? "giveLead" : "getLead", {});
    output.answer(found, values.give ? given(found) : shown(found));
    return 0;
  },
};

const given = ({ leader }: LeadView): string => `${leader} hands the farm over, and stands by afterwards\n`;

const shown = ({ leader, is_shared: isShared, standbys }: LeadView): string =>
  [
    `Leads      ${leader}`,
    `Stand by   ${standbys.join(", ") || (isShared ? "none: start another mediafarm up with the same --store" : "none: this farm's store is for one coordinator")}`,
    "",
  ].join("\n");
