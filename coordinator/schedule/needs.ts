import type { Weight } from "../../media/elements/element.ts";
import type { Demand } from "../../shared/model/demand.ts";

/** What a task requires of a node. Tasks with the same needs are in one list. */
export type Needs = {
  readonly weight: Weight;
  readonly tags: readonly string[];
  /** Capabilities. */
  readonly requires: readonly string[];
  readonly demand: Demand;
  /** Nodes to avoid while another node could run the task; only in memory. */
  readonly avoids: readonly number[];
};

export const noNeeds: Needs = { weight: "light", tags: [], requires: [], demand: {}, avoids: [] };

/** The same key for the same needs, whatever their order. */
export const needsKey = ({ weight, tags, requires, demand, avoids }: Needs): string => {
  const { cores = 0, memory = 0, disk = 0, gpus = 0 } = demand;
  return JSON.stringify([weight, sorted(tags), sorted(requires), [cores, memory, disk, gpus], avoids]);
};

const sorted = (list: readonly string[]): readonly string[] => (list.length < 2 ? list : [...list].sort());
