import type { Nodes } from "../nodes.ts";
import { moveHealth } from "./health.ts";
import { isTooManyBreaches, mostReturns } from "./health-rules.ts";

/**
 * Counts what a node said against the rules of its protocol, or about what is not its own: `how` completes the sentence
 * "it …". A node that does so again and again is put into quarantine, with the last of it as the reason.
 */
export const noteBreach = async (
  farm: Pick<Nodes, "clock" | "log" | "change" | "health" | "registry">,
  nodeId: number,
  how: string,
): Promise<void> => {
  const what = how.slice(0, 300);
  const breaches = farm.health.noteBreach(nodeId, farm.clock.monotonic());
  const name = farm.registry.row(nodeId)?.profile.name;
  if (breaches.length === 1) farm.log.warn({ node: nodeId, name, how: what }, "a node broke its protocol");
  if (isTooManyBreaches(breaches) && !isQuarantined(farm, nodeId)) await quarantine(farm, nodeId, reasonOf(what));
};

/** A task that is given back starts again at once: a node that takes it each time would keep it from all others. */
export const noteReturn = (farm: Parameters<typeof noteBreach>[0], nodeId: number): void => {
  if (!farm.health.noteReturn(nodeId, farm.clock.monotonic())) return;
  quarantine(farm, nodeId, `It took tasks and gave back ${mostReturns} of them within minutes`).catch((problem) =>
    farm.log.error({ err: problem, node: nodeId }, "a node's quarantine was not recorded"),
  );
};

/** It can be no worse: what such a node says costs no decision. */
const isQuarantined = ({ registry }: Pick<Nodes, "registry">, nodeId: number): boolean =>
  registry.row(nodeId)?.health.state === "quarantined";

const quarantine = async (farm: Parameters<typeof noteBreach>[0], nodeId: number, why: string): Promise<void> => {
  farm.health.forgetBreaches(nodeId);
  await farm.change([], (draft) => {
    const row = draft.node(nodeId);
    if (row && row.revoked === null) moveHealth(farm, draft, row, "breach", why);
  });
};

/** The same where nobody can wait for it. */
export const noteBreachLater = (farm: Parameters<typeof noteBreach>[0], nodeId: number, how: string): void => {
  noteBreach(farm, nodeId, how).catch((problem) =>
    farm.log.error({ err: problem, node: nodeId }, "a node's quarantine was not recorded"),
  );
};

const reasonOf = (how: string): string =>
  `It kept breaking its protocol (the last time it ${how}): update its agent, or revoke it if it is not yours`;
