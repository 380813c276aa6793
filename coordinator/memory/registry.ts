import type { ComputeGroup } from "../../shared/compute-group.ts";
import type { Standing } from "../../shared/lending.ts";
import { type CoordinatorMessage, type FarmMount, type Fence, fenceKey } from "../../shared/protocol.ts";
import type { Reach } from "../../shared/reach.ts";
import { type Presence, presenceOf } from "../../shared/state/node.ts";
import { type Bound, mayUse } from "../../shared/vault.ts";
import type { NodeRow } from "../store/rows.ts";
import {
  type Claimed,
  type Connection,
  factsOf,
  type Held,
  type NodeEntries,
  type NodeEntry,
  newEntry,
} from "./node-entry.ts";
import { createOffers } from "./offers.ts";

type BoundEntry = { readonly name: string; readonly bound: Bound };
type Silence = { readonly lateMs: number; readonly lostMs: number };

export type Registry = ReturnType<typeof createRegistry>;

/** The enrolled nodes: which are connected, when each was last heard, and what each runs and could take. */
export const createRegistry = (
  limits: Silence,
  groupOf: (name: string) => ComputeGroup | undefined = () => undefined,
) => {
  const entries: NodeEntries = new Map();
  let farmMounts: readonly FarmMount[] = [];
  let entriesBound: readonly BoundEntry[] = [];
  let reach: Reach | undefined;
  const facts = (row: NodeRow) => {
    const usable = entriesBound.flatMap(({ name, bound }) => (mayUse(bound, row) ? [name] : []));
    return factsOf(row, row.group === null ? undefined : groupOf(row.group), farmMounts, usable);
  };

  const put = (row: NodeRow, now: number): NodeEntry => {
    reach = undefined;
    const known = entries.get(row.id);
    if (known) return Object.assign(known, { row, facts: facts(row), free: undefined });
    const entry = newEntry(row, facts(row), now);
    entries.set(row.id, entry);
    return entry;
  };

  /** Recomputes the facts of nodes after a change outside their own profiles. */
  const refresh = (isMeant: (row: NodeRow) => boolean = () => true): void => {
    for (const { row } of entries.values()) if (isMeant(row)) put(row, 0);
  };

  return {
    put,
    /** A second connection of one identity replaces the first, which is closed. */
    connect: (row: NodeRow, connection: Connection, now: number, instance?: string): void => {
      const entry = put(row, now);
      entry.instance = instance;
      entry.connection?.close();
      entry.connection = connection;
      entry.lastHeard = now;
    },
    /** Its reported free scratch space, in bytes. */
    setDisk: (nodeId: number, disk: number | undefined): void => {
      const entry = entries.get(nodeId);
      if (!entry || disk === undefined) return;
      entry.facts = { ...entry.facts, capacity: { ...entry.facts.capacity, disk } };
      entry.free = undefined;
    },
    /** Forgets the node; the caller closes its connection. */
    remove: (nodeId: number): Connection | undefined => {
      const connection = entries.get(nodeId)?.connection;
      entries.delete(nodeId);
      reach = undefined;
      return connection;
    },
    row: (nodeId: number): NodeRow | undefined => entries.get(nodeId)?.row,
    rows: (): NodeRow[] => [...entries.values()].map(({ row }) => row),
    /** What a group provides has changed. */
    refreshGroup: (name: string): void => refresh(({ group }) => group === name),
    /** The mounts of the whole farm, which nodes have in addition to their own. */
    mount: (mounts: readonly FarmMount[]): void => {
      farmMounts = mounts;
      refresh();
    },
    /** The entries of the credentials vault that only some nodes may use. */
    bind: (bound: readonly BoundEntry[]): void => {
      entriesBound = bound;
      refresh();
    },
    /** The storage that all nodes together can reach. */
    reach: (): Reach => {
      reach ??= reachOfAll(entries);
      return reach;
    },
    ...connectionsOf(entries),
    ...presencesOf(entries, limits),
    ...slotsOf(entries),
    ...createOffers(entries),
  };
};

const reachOfAll = (entries: NodeEntries): Reach => {
  const all = [...entries.values()].map(({ facts }) => facts);
  return {
    prefixes: new Set(all.flatMap(({ prefixes }) => [...prefixes])),
    capabilities: new Set(all.flatMap(({ capabilities }) => [...capabilities])),
  };
};

const connectionsOf = (entries: NodeEntries) => ({
  disconnect: (nodeId: number, connection: Connection): void => {
    const entry = entries.get(nodeId);
    if (entry?.connection === connection) entry.connection = undefined;
  },
  /** The node gets no more work before its next hello; the caller closes its connection. */
  forget: (nodeId: number): Connection | undefined => {
    const entry = entries.get(nodeId);
    const connection = entry?.connection;
    if (entry) entry.connection = undefined;
    return connection;
  },
  isCurrent: (nodeId: number, connection: Connection): boolean => entries.get(nodeId)?.connection === connection,
  isConnected: (nodeId: number): boolean => entries.get(nodeId)?.connection !== undefined,
  send: (nodeId: number, message: CoordinatorMessage): void => entries.get(nodeId)?.connection?.send(message),
  /** Nodes that are not connected learn it from their next welcome. */
  tellAll: (message: CoordinatorMessage): void => {
    for (const { connection } of entries.values()) connection?.send(message);
  },
  closeAll: (): void => {
    for (const { connection } of entries.values()) connection?.close();
  },
});

const presencesOf = (entries: NodeEntries, limits: Silence) => ({
  heard: (nodeId: number, now: number): void => {
    const entry = entries.get(nodeId);
    if (entry) entry.lastHeard = now;
  },
  /** A suspended node's attempts get that much more time. */
  stand: (nodeId: number, standing: Standing | undefined, now: number): void => {
    const entry = entries.get(nodeId);
    if (!entry) return;
    const stoodMs = entry.suspendedSince === undefined ? 0 : now - entry.suspendedSince;
    for (const [key, held] of entry.held) entry.held.set(key, { ...held, due: held.due + stoodMs });
    entry.standing = standing;
    entry.suspendedSince = standing?.isSuspended ? now : undefined;
  },
  standing: (nodeId: number): Standing | undefined => entries.get(nodeId)?.standing,
  silentMs: (nodeId: number, now: number): number => now - (entries.get(nodeId)?.lastHeard ?? now),
  isSilentFor: (nodeId: number, now: number, ms: number): boolean =>
    now - (entries.get(nodeId)?.lastHeard ?? Number.NEGATIVE_INFINITY) >= ms,
  presence: (nodeId: number, now: number): Presence => {
    const entry = entries.get(nodeId);
    return presenceOf(entry && now - entry.lastHeard, limits);
  },
  /** Whether another agent of this identity is connected and was heard just now. One without `instance` is another. */
  hasTwin: (nodeId: number, instance: string | undefined, now: number): boolean => {
    const entry = entries.get(nodeId);
    if (!entry?.connection || (instance !== undefined && entry.instance === instance)) return false;
    return presenceOf(now - entry.lastHeard, limits) === "online";
  },
});

const slotsOf = (entries: NodeEntries) => {
  /** Every change of a node's load goes through here, which counts its remaining capacity anew. */
  const change = (nodeId: number, fn: (entry: NodeEntry) => unknown): void => {
    const entry = entries.get(nodeId);
    if (!entry) return;
    fn(entry);
    entry.free = undefined;
  };
  const heldAs = (nodeId: number, fence: Fence): Held | undefined => entries.get(nodeId)?.held.get(fenceKey(fence));
  return {
    /** False if it was barred before, or does not exist. */
    bar: (nodeId: number): boolean => {
      const entry = entries.get(nodeId);
      if (!entry || entry.isBarred) return false;
      entry.isBarred = true;
      return true;
    },
    unbar: (nodeId: number): void => {
      const entry = entries.get(nodeId);
      if (entry) entry.isBarred = false;
    },
    isBarred: (nodeId: number): boolean => entries.get(nodeId)?.isBarred ?? true,
    claim: (nodeId: number, taskId: number, use: Claimed): void => {
      change(nodeId, ({ claimed }) => claimed.set(taskId, use));
    },
    isClaimed: (nodeId: number, taskId: number): boolean => entries.get(nodeId)?.claimed.has(taskId) ?? false,
    unclaim: (nodeId: number, taskId: number): void => {
      change(nodeId, ({ claimed }) => claimed.delete(taskId));
    },
    /** The claim has become an attempt: counted twice, it would block a free slot for the next task. */
    hold: (nodeId: number, attempt: Held): void => {
      change(nodeId, ({ held, claimed }) => {
        claimed.delete(attempt.taskId);
        held.set(fenceKey(attempt.fence), attempt);
      });
    },
    release: (nodeId: number, fence: Fence): void => {
      change(nodeId, ({ held }) => held.delete(fenceKey(fence)));
    },
    isHeld: (nodeId: number, fence: Fence): boolean => heldAs(nodeId, fence) !== undefined,
    /** The node's entry for the attempt. */
    heldAs,
    /** All open attempts, each with its node. */
    running: (): { readonly node: NodeRow; readonly held: Held }[] =>
      [...entries.values()].flatMap(({ row: node, held }) => [...held.values()].map((each) => ({ node, held: each }))),
    heldBy: (nodeId: number): Held[] => [...(entries.get(nodeId)?.held.values() ?? [])],
  };
};
