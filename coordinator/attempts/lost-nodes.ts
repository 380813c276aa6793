import { changeEach } from "../kernel/committer.ts";
import { recordDeparture } from "../nodes/node-info.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { isGrantAwaited, requestInspection } from "./grants.ts";
import { loseAttempt } from "./lost-attempts.ts";

/** Takes back what nodes ran that have been silent for too long. */
export const giveUpLostNodes = async (farm: Secrets): Promise<void> => {
  const { registry, clock } = farm;
  await hangUpSilentNodes(farm);
  const silent = registry
    .rows()
    .filter(({ id }) => registry.runningOn(id).length > 0 && registry.heardState(id, clock.monotonic()) === "lost");
  const names = new Map(silent.map(({ id, profile }) => [id, profile.name]));
  const attempts = silent.flatMap(({ id }) => registry.runningOn(id));
  await changeEach(farm, attempts, (draft, { fence }) => {
    const attempt = draft.attemptOf(fence);
    const name = attempt && names.get(attempt.node_id);
    if (attempt?.ended !== null || name === undefined) return;
    if (isGrantAwaited(farm, attempt)) requestInspection(farm, draft, attempt);
    else loseAttempt(farm, draft, attempt, `node ${name} has been silent for too long`);
  });
};

/** Closes sockets that are open but silent: such a node would be given its lost work again and again. */
const hangUpSilentNodes = async (farm: Secrets): Promise<void> => {
  const { registry, clock } = farm;
  for (const { id, profile } of registry.rows()) {
    if (!registry.isConnected(id) || registry.heardState(id, clock.monotonic()) !== "lost") continue;
    farm.log.warn({ node: id, name: profile.name }, "node is silent: hanging up");
    registry.forget(id)?.close();
    await recordDeparture(farm, id);
  }
};
