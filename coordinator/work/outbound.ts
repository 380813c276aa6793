import { AppError } from "../../shared/errors.ts";
import { mostRules } from "../../shared/outbound/rules.ts";
import { outboundRules } from "../../shared/protocol.ts";
import type { Farm } from "./farm.ts";

const metaKey = "outbound_rules";

/** What jobs may reach over the network from every node, in addition to what each node's operator allows. */
export const outboundOf = async ({ store }: Pick<Farm, "store">): Promise<string[]> => {
  const text = await store.meta.get(metaKey);
  return text === undefined ? [] : outboundRules.parse(JSON.parse(text));
};

/** Adds and removes rules, and tells all nodes at once. */
export const changeOutbound = async (
  farm: Farm,
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): Promise<string[]> => {
  const before = await outboundOf(farm);
  const unknown = remove.find((rule) => !before.includes(rule));
  if (unknown !== undefined) throw new AppError("NOT_FOUND", `The farm has no rule ${unknown}`);
  const rules = [...new Set([...before.filter((rule) => !remove.includes(rule)), ...add])];
  if (rules.length > mostRules) throw new AppError("VALIDATION_FAILED", `The farm can have ${mostRules} rules at most`);
  await farm.store.meta.set(metaKey, JSON.stringify(rules));
  farm.registry.tellAll({ type: "outbound", epoch: farm.epoch, rules });
  farm.log.info({ rules }, "the outbound rules were changed");
  return rules;
};
