import type { ParsedInputOf } from "../../shared/api/api.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { maxOutboundRules } from "../../shared/outbound/rules.ts";
import { outboundRules } from "../../shared/protocol/messages.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Nodes } from "./nodes.ts";

const recordKey = "outbound_rules";

/** What jobs may reach over the network from every node, in addition to what each node's operator allows. */
export const readNetworkRules = async ({ store }: Pick<Kernel, "store">): Promise<string[]> =>
  parseRules(await store.records.get("farm", recordKey));

type RuleChange = ParsedInputOf<"changeOutbound">;

/** Adds and removes rules, and tells all nodes at once. Two people's changes at the same time both take effect. */
export const changeNetworkRules = async (
  farm: Pick<Nodes, "log" | "epoch" | "store" | "registry">,
  change: RuleChange,
): Promise<string[]> => {
  const { after } = await farm.store.records.change("farm", recordKey, (text) =>
    JSON.stringify(changedRules(parseRules(text), change)),
  );
  const rules = parseRules(after);
  farm.registry.tellAll({ type: "outbound", epoch: farm.epoch, rules });
  farm.log.info({ rules }, "the outbound rules were changed");
  return rules;
};

const changedRules = (before: readonly string[], { add, remove }: RuleChange): string[] => {
  const unknown = remove.find((rule) => !before.includes(rule));
  if (unknown !== undefined) throw new AppError("NOT_FOUND", `The farm has no rule ${unknown}`);
  const rules = [...new Set([...before.filter((rule) => !remove.includes(rule)), ...add])];
  if (rules.length > maxOutboundRules)
    throw new AppError("VALIDATION_FAILED", `The farm can have ${maxOutboundRules} rules at most`);
  return rules;
};

const parseRules = (text: string | undefined): string[] =>
  text === undefined ? [] : outboundRules.parse(JSON.parse(text));
