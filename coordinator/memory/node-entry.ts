import type { ComputeGroup } from "../../shared/compute-group.ts";
import type { Standing } from "../../shared/lending.ts";
import type { CoordinatorMessage, Fence } from "../../shared/protocol.ts";
import { freeOf } from "../schedule/fit.ts";
import type { Free, NodeFacts, Use } from "../schedule/node-facts.ts";
import type { OpenTask } from "../schedule/open-task.ts";
import { type AttemptRow, type NodeRow, slotsOfNode, tagsOfNode } from "../store/rows.ts";

/** An open attempt of a node; free slots are counted from these, never kept as a number that could leak. */
export type Held = Use & {
  readonly fence: Fence;
  readonly taskId: number;
  readonly jobId: number;
  readonly name: string;
  readonly tags: readonly string[];
  /** When it was given to the node. */
  readonly begun: number;
  /** On the monotonic clock: when its node should have ended it at the latest. */
  readonly due: number;
};

export const heldOf = (
  { epoch, counter, assigned: begun }: Pick<AttemptRow, "epoch" | "counter" | "assigned">,
  { id, jobId, name, weight, demand, tags }: Pick<OpenTask, "id" | "jobId" | "name" | "weight" | "demand" | "tags">,
  due: number,
): Held => ({ fence: { epoch, counter }, begun, taskId: id, jobId, name, weight, demand, tags, due });

/** A task that was chosen and whose claim is not decided yet. */
export type Claimed = Use & Pick<Held, "tags">;

export type Connection = { readonly send: (message: CoordinatorMessage) => void; readonly close: () => void };

/** One node as memory knows it. */
export type NodeEntry = {
  row: NodeRow;
  facts: NodeFacts;
  connection: Connection | undefined;
  /** The run of the agent that the connection is of. */
  instance: string | undefined;
  /** Whether its owner lends it, as it said last; undefined: it says nothing of it and works. */
  standing: Standing | undefined;
  /** On the monotonic clock: up to here attempts were given the time in which they stood still. */
  suspendedSince: number | undefined;
  /** Its key is being taken from it: nothing more is claimed for it. */
  isBarred: boolean;
  /** On the monotonic clock; at the start every known node is given the time of one silence. */
  lastHeard: number;
  readonly held: Map<string, Held>;
  readonly claimed: Map<number, Claimed>;
  /** What these leave, until one of them changes. */
  free: Free | undefined;
};

export type NodeEntries = Map<number, NodeEntry>;

export const newEntry = (row: NodeRow, facts: NodeFacts, now: number): NodeEntry => ({
  ...{
    row,
    facts,
    connection: undefined,
    instance: undefined,
    standing: undefined,
    suspendedSince: undefined,
    isBarred: false,
    lastHeard: now,
  },
  ...{ held: new Map(), claimed: new Map(), free: undefined },
});

export const worksNow = ({ row, connection, standing, isBarred }: NodeEntry): boolean =>
  connection !== undefined &&
  !isBarred &&
  standing?.takes !== false &&
  row.state === "active" &&
  row.health.state !== "quarantined";

export const usesOf = ({ held, claimed }: NodeEntry): Claimed[] => [...held.values(), ...claimed.values()];

/** On probation a node has room for one task in all. */
export const freeIn = (entry: NodeEntry): Free => {
  entry.free ??= countFree(entry);
  return entry.free;
};

const countFree = (entry: NodeEntry): Free => {
  const uses = usesOf(entry);
  const free = freeOf(entry.facts, uses);
  if (entry.row.health.state !== "probation") return free;
  const isTried = uses.length > 0;
  return { ...free, slots: isTried ? 0 : free.slots, light: isTried ? 0 : free.light };
};

export const factsOf = (row: NodeRow, group: ComputeGroup | undefined): NodeFacts => {
  const { tools, machine } = row.profile;
  const { cores, memory, disk, gpus = 0 } = machine;
  return {
    id: row.id,
    tags: new Set([...tagsOfNode(row), ...(group?.provided_tags ?? []), ...(group?.mandatory_tags ?? [])]),
    mandatory: group?.mandatory_tags ?? [],
    capabilities: new Set(tools.capabilities),
    capacity: { slots: slotsOfNode(row), cores, memory, disk, gpus },
  };
};
