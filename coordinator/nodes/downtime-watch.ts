import { z } from "zod";
import { downtimeStates } from "../../shared/api/node-view.ts";
import { nodeStateName } from "../../shared/model/state-labels.ts";
import type { NodeRow } from "../store/rows.ts";
import type { Store } from "../store/store.ts";
import { createDowntimeLog, type DowntimeLog, downtime } from "./downtimes.ts";
import { describeLending } from "./node-info.ts";
import type { Nodes } from "./nodes.ts";

type Parts = Pick<Nodes, "clock" | "store" | "registry" | "downtimes">;

const recordKey = "node_downtimes";

/** Restores the downtimes stored before a restart. If they cannot be read, nothing important is lost. */
export const recallDowntimes = async ({ records }: Pick<Store, "records">): Promise<DowntimeLog> => {
  const text = await records.get("farm", recordKey);
  return createDowntimeLog(text === undefined ? [] : z.array(downtime).safeParse(JSON.parse(text)).data);
};

/** Notes the current state of every node, and stores changes now and then. */
export const recordDowntimes = async (farm: Parts): Promise<void> => {
  const now = farm.clock.now();
  for (const row of farm.registry.rows()) farm.downtimes.note(row.id, now, findDowntime(farm, row, now));
  const unwritten = farm.downtimes.takeUnwritten(now);
  if (unwritten) await farm.store.records.change("farm", recordKey, () => JSON.stringify(unwritten));
};

const findDowntime = ({ registry, clock }: Parts, { id, state, health }: NodeRow, now: number) => {
  const lending = describeLending(registry.standing(id));
  const presence = registry.presence(id, clock.monotonic());
  const name = nodeStateName({ presence, state, health: { ...health, until: null }, running: [], lending });
  const found = downtimeStates.find((each) => each === name);
  if (found === undefined) return undefined;
  const from = found === "lost" || found === "off" ? Math.round(now - registry.silentMs(id, clock.monotonic())) : now;
  const owners = lending?.takes === false && state === "active" ? lending : undefined;
  const why = owners?.why.split(".")[0]?.slice(0, 100) ?? "";
  return { state: found, from, why, lending: owners?.state ?? null };
};
