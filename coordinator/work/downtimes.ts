import { z } from "zod";
import { downtimeStates } from "../../shared/node-view.ts";
import { nodeStateName } from "../../shared/state/labels.ts";
import { createDowntimeBook, type DowntimeBook } from "../memory/downtimes.ts";
import type { NodeRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import type { Farm } from "./farm.ts";
import { lendingOf } from "./nodes.ts";

const metaKey = "node_downtimes";

const stored = z.array(
  z.strictObject({
    nodeId: z.number(),
    state: z.enum(downtimeStates),
    from: z.number(),
    to: z.number().nullable(),
    why: z.string(),
  }),
);

/** Restores the downtimes stored before a restart. If they cannot be read, nothing important is lost. */
export const recallDowntimes = async ({ meta }: Pick<Store, "meta">): Promise<DowntimeBook> => {
  const text = await meta.get(metaKey);
  return createDowntimeBook(text === undefined ? [] : stored.safeParse(JSON.parse(text)).data);
};

/** Notes the current state of every node, and stores changes now and then. */
export const noteDowntimes = async (farm: Farm): Promise<void> => {
  const now = farm.clock.now();
  for (const row of farm.registry.rows()) farm.downtimes.note(row.id, now, downtimeOf(farm, row, now));
  const unwritten = farm.downtimes.takeUnwritten(now);
  if (unwritten) await farm.store.meta.set(metaKey, JSON.stringify(unwritten));
};

const downtimeOf = ({ registry, clock }: Farm, { id, state, health }: NodeRow, now: number) => {
  const lending = lendingOf(registry.standing(id));
  const presence = registry.presence(id, clock.monotonic());
  const name = nodeStateName({ presence, state, health: { ...health, until: null }, running: [], lending });
  const found = downtimeStates.find((each) => each === name);
  if (found === undefined) return undefined;
  const from = found === "lost" ? Math.round(now - registry.silentMs(id, clock.monotonic())) : now;
  const isOwners = lending?.takes === false && state === "active";
  return { state: found, from, why: isOwners ? (lending.why.split(".")[0]?.slice(0, 100) ?? "") : "" };
};
