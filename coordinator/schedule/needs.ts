import type { Demand } from "../../shared/demand.ts";
import type { Weight } from "../../shared/elements/element.ts";

/** What a task needs of a node: tasks that need the same stand in one list. */
export type Needs = {
  readonly weight: Weight;
  readonly tags: readonly string[];
  /** Capabilities. */
  readonly requires: readonly string[];
  readonly demand: Demand;
  /** Nodes on which it should not run again while another one could. */
  readonly avoids: readonly number[];
};

export const noNeeds: Needs = { weight: "light", tags: [], requires: [], demand: {}, avoids: [] };

/** The same for the same needs, in whatever order they are named. */
export const needsKey = ({ weight, tags, requires, demand, avoids }: Needs): string => {
  const { cores = 0, memory = 0, disk = 0, gpus = 0 } = demand;
  return JSON.stringify([weight, sorted(tags), sorted(requires), [cores, memory, disk, gpus], avoids]);
};

const sorted = (list: readonly string[]): readonly string[] => (list.length < 2 ? list : [...list].sort());
