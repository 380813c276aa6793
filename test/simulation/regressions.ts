import type { Choice } from "./choice.ts";

/**
 * A seed that once failed, in its shortest form, and what was wrong. All of them run in every `npm test`. Its swarm is
 * named, so that it stays the same when there are more kinds of jobs and faults.
 */
export type Regression = Choice & { readonly swarm: number; readonly was: string };

export const regressions: readonly Regression[] = [
  {
    ...{ seed: 5000211, faults: 40, swarm: 3 },
    was: "a coordinator that had just begun failed what no node could do, before its nodes were back",
  },
  {
    ...{ seed: 6000276, faults: 40, swarm: 4 },
    was: "a welcome kept an attempt that was given away while the farm's mounts were read for it",
  },
  {
    ...{ seed: 6000879, faults: 40, swarm: 4 },
    was: "a node was granted what it had just been told to drop",
  },
  {
    ...{ seed: 6001775, faults: 40, swarm: 4 },
    was: "a coordinator that lost power before its first tick kept no time: with a clock set back, a delay took an hour",
  },
  {
    ...{ seed: 6002049, faults: 40, swarm: 4 },
    was: "a retry of what was stopped did not wait for a node that could not be reached and was granted it",
  },
  {
    ...{ seed: 7000294, faults: 40, swarm: 4 },
    was: "a start that was noted after its job had left memory freed the slot, and the node was told to drop its work",
  },
  {
    ...{ seed: 7001507, faults: 40, swarm: 4 },
    was: "a node that had slept, and began a section that another one had made since, deleted it before it asked",
  },
  {
    ...{ seed: 65, faults: 40, swarm: 5 },
    was: "a copy whose name was taken twice was called name_1_1",
  },
  {
    ...{ seed: 7301329, faults: 40, swarm: 5 },
    was: "an agent that asked over a connection that was closing asked again without end, and did nothing else",
  },
];
