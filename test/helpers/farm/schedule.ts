import type { Situation } from "../../../coordinator/schedule/choose.ts";
import type { NodeFacts } from "../../../coordinator/schedule/node-facts.ts";
import type { OpenTask } from "../../../coordinator/schedule/open-task.ts";
import { createReadyIndex } from "../../../coordinator/schedule/ready.ts";

/** A ready task as the choice sees it. */
export const anOpenTask = (id: number, changes: Partial<OpenTask> = {}): OpenTask => ({
  id,
  jobId: 1,
  name: `t${id}`,
  state: "ready",
  priority: 100,
  tags: [],
  requires: [],
  weight: "full",
  demand: {},
  avoids: [],
  readyTime: 0,
  ...changes,
});

type NodeWords = Partial<Omit<NodeFacts, "tags" | "capabilities">> & { tags?: string[]; capabilities?: string[] };

/** A node of four slots and eight cores. */
export const aNode = ({ tags, capabilities, ...more }: NodeWords = {}): NodeFacts => ({
  id: 1,
  mandatory: [],
  prefixes: new Set(),
  capacity: { slots: 4, cores: 8, memory: 16e9, disk: 100e9, gpus: 1 },
  ...more,
  tags: new Set(tags),
  capabilities: new Set(capabilities),
});

/** No limits, and nobody else about. */
export const calm: Situation = { full: new Set(), hasOthers: () => false };

export const anIndexOf = (...tasks: OpenTask[]) => {
  const index = createReadyIndex();
  for (const task of tasks) index.add(task);
  return index;
};
