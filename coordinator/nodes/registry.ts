import type { Weight } from "../../shared/elements/element.ts";
import { type CoordinatorMessage, type Fence, fenceKey } from "../../shared/protocol.ts";
import { type Presence, presenceOf } from "../../shared/state/node.ts";
import type { NodeRow } from "../db/nodes.ts";
import type { Offer } from "../schedule/choose.ts";

/** Light tasks that a node runs beside its slots. */
export const lightSlots = 2;

/** The open attempts of a node; free slots are counted from these, never kept as a number that could leak. */
export type Held = { readonly fence: Fence; readonly taskId: number; readonly jobId: number; readonly weight: Weight };

export type Connection = { readonly send: (message: CoordinatorMessage) => void; readonly close: () => void };

type Entry = {
  row: NodeRow;
  tags: ReadonlySet<string>;
  capabilities: ReadonlySet<string>;
  connection: Connection | undefined;
  /** On the monotonic clock; at the start every known node is given the time of one silence. */
  lastHeard: number;
  readonly held: Map<string, Held>;
  /** Slots of tasks whose claim is on its way to the store. */
  readonly claimed: Map<number, Weight>;
};

export type Registry = ReturnType<typeof createRegistry>;

/** The nodes as they are now: who is connected, when it was heard, what it runs. */
export const createRegistry = (limits: { lateMs: number; lostMs: number }) => {
  const entries = new Map<number, Entry>();

  const put = (row: NodeRow, now: number): Entry => {
    const known = entries.get(row.id);
    const sets = { tags: new Set(row.tags), capabilities: new Set(row.profile.tools.capabilities) };
    if (known) return Object.assign(known, { row, ...sets });
    const entry: Entry = { row, ...sets, connection: undefined, lastHeard: now, held: new Map(), claimed: new Map() };
    entries.set(row.id, entry);
    return entry;
  };

  return {
    put: (row: NodeRow, now: number): void => {
      put(row, now);
    },
    /** A second connection of one identity takes the place of the first, which is closed. */
    connect: (row: NodeRow, connection: Connection, now: number): void => {
      const entry = put(row, now);
      entry.connection?.close();
      entry.connection = connection;
      entry.lastHeard = now;
    },
    disconnect: (nodeId: number, connection: Connection): void => {
      const entry = entries.get(nodeId);
      if (entry?.connection === connection) entry.connection = undefined;
    },
    /** Nothing more is given to the node before it says hello anew; its connection is the caller's to close. */
    forget: (nodeId: number): Connection | undefined => {
      const entry = entries.get(nodeId);
      const connection = entry?.connection;
      if (entry) entry.connection = undefined;
      return connection;
    },
    silentMs: (nodeId: number, now: number): number => now - (entries.get(nodeId)?.lastHeard ?? now),
    isCurrent: (nodeId: number, connection: Connection): boolean => entries.get(nodeId)?.connection === connection,
    isConnected: (nodeId: number): boolean => entries.get(nodeId)?.connection !== undefined,
    heard: (nodeId: number, now: number): void => {
      const entry = entries.get(nodeId);
      if (entry) entry.lastHeard = now;
    },
    send: (nodeId: number, message: CoordinatorMessage): void => entries.get(nodeId)?.connection?.send(message),
    /** Those that are not connected hear it at their next welcome. */
    tellAll: (message: CoordinatorMessage): void => {
      for (const { connection } of entries.values()) connection?.send(message);
    },
    claim: (nodeId: number, taskId: number, weight: Weight): void => {
      entries.get(nodeId)?.claimed.set(taskId, weight);
    },
    unclaim: (nodeId: number, taskId: number): void => {
      entries.get(nodeId)?.claimed.delete(taskId);
    },
    hold: (nodeId: number, held: Held): void => {
      entries.get(nodeId)?.held.set(fenceKey(held.fence), held);
    },
    release: (nodeId: number, fence: Fence): void => {
      entries.get(nodeId)?.held.delete(fenceKey(fence));
    },
    isHeld: (nodeId: number, fence: Fence): boolean => entries.get(nodeId)?.held.has(fenceKey(fence)) ?? false,
    row: (nodeId: number): NodeRow | undefined => entries.get(nodeId)?.row,
    rows: (): NodeRow[] => [...entries.values()].map(({ row }) => row),
    heldBy: (nodeId: number): Held[] => [...(entries.get(nodeId)?.held.values() ?? [])],
    presence: (nodeId: number, now: number): Presence => {
      const entry = entries.get(nodeId);
      return presenceOf(entry && now - entry.lastHeard, limits);
    },
    isSilentFor: (nodeId: number, now: number, ms: number): boolean =>
      now - (entries.get(nodeId)?.lastHeard ?? Number.NEGATIVE_INFINITY) >= ms,
    /** What each connected, active node can take. */
    *offers(): Generator<{ nodeId: number; offer: Offer }> {
      for (const entry of entries.values()) {
        const { row, tags, capabilities, connection } = entry;
        if (!connection || row.state !== "active") continue;
        yield { nodeId: row.id, offer: { tags, capabilities, free: freeSlots(entry) } };
      }
    },
    /** Whether any enrolled node, connected or not, could ever serve these needs. */
    someoneCould: (serves: (offer: Pick<Offer, "tags" | "capabilities">) => boolean): boolean =>
      [...entries.values()].some(serves),
    closeAll: (): void => {
      for (const { connection } of entries.values()) connection?.close();
    },
  };
};

const freeSlots = ({ row, held, claimed }: Entry): Record<Weight, number> => {
  const used = { full: 0, light: 0 };
  for (const { weight } of held.values()) used[weight] += 1;
  for (const weight of claimed.values()) used[weight] += 1;
  return { full: row.slots - used.full, light: lightSlots - used.light };
};
