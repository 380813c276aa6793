import { z } from "zod";
import { spellStates } from "../../shared/node-view.ts";
import { nodeStateName } from "../../shared/state/labels.ts";
import { createSpellBook, type SpellBook } from "../memory/spells.ts";
import type { NodeRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import type { Farm } from "./farm.ts";
import { lendingOf } from "./nodes.ts";

const metaKey = "node_spells";

const stored = z.array(
  z.strictObject({
    nodeId: z.number(),
    state: z.enum(spellStates),
    from: z.number(),
    to: z.number().nullable(),
    why: z.string(),
  }),
);

/** Restores the spells stored before a restart. If they cannot be read, nothing important is lost. */
export const recallSpells = async ({ meta }: Pick<Store, "meta">): Promise<SpellBook> => {
  const text = await meta.get(metaKey);
  return createSpellBook(text === undefined ? [] : stored.safeParse(JSON.parse(text)).data);
};

/** Notes the current state of every node, and stores changes now and then. */
export const noteSpells = async (farm: Farm): Promise<void> => {
  const now = farm.clock.now();
  for (const row of farm.registry.rows()) farm.spells.note(row.id, now, spellOf(farm, row, now));
  const unwritten = farm.spells.takeUnwritten(now);
  if (unwritten) await farm.store.meta.set(metaKey, JSON.stringify(unwritten));
};

const spellOf = ({ registry, clock }: Farm, { id, state, health }: NodeRow, now: number) => {
  const lending = lendingOf(registry.standing(id));
  const presence = registry.presence(id, clock.monotonic());
  const name = nodeStateName({ presence, state, health: { ...health, until: null }, running: [], lending });
  const found = spellStates.find((each) => each === name);
  if (found === undefined) return undefined;
  const from = found === "lost" ? Math.round(now - registry.silentMs(id, clock.monotonic())) : now;
  const isOwners = lending?.takes === false && state === "active";
  return { state: found, from, why: isOwners ? (lending.why.split(".")[0]?.slice(0, 100) ?? "") : "" };
};
