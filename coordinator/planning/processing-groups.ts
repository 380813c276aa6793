import type { Asset } from "../../shared/model/asset.ts";
import { TaskError } from "../../shared/model/failure.ts";

type Payload = Readonly<Record<string, unknown>>;
type Feeder = { readonly payload: Payload; readonly assets: readonly Asset[] };

/**
 * The inputs that belong to one of the groups; all of them if no groups are requested. Throws TaskError if none does.
 */
export const assetsOfGroups = (feeders: readonly Feeder[], groups: readonly string[], uid: string): Asset[] => {
  const all = feeders.flatMap(({ assets }) => assets);
  if (groups.length === 0) return all;
  const wanted = feeders.flatMap(({ payload, assets }) =>
    assets.filter(({ version }) => groups.some((group) => groupsOf(payload, version).includes(group))),
  );
  if (wanted.length > 0 || all.length === 0) return wanted;
  const filter = "task.extended.start_payload_filter.processing_group_ids";
  throw new TaskError("definition", `${uid}.${filter}: no input belongs to ${groups.join(" or ")}`);
};

/** The groups of a target, found by its uid; other assets have none. */
const groupsOf = ({ targets }: Payload, version: string): readonly unknown[] => {
  if (!Array.isArray(targets)) return [];
  const made = targets.find((target: { uid?: string }, index) => (target.uid ?? `target_${index}`) === version);
  return Array.isArray(made?.processing_group_ids) ? made.processing_group_ids : [];
};
