import type { Standing } from "../../shared/lending.ts";
import { type CoordinatorMessage, type Fence, fenceKey } from "../../shared/protocol.ts";
import { type Presence, presenceOf } from "../../shared/state/node.ts";
import type { NodeRow } from "../db/nodes.ts";
import type { OpenTask } from "../db/open-tasks.ts";
import type { Offer } from "../schedule/choose.ts";
import { canServe, freeOf } from "../schedule/fit.ts";
import type { Needs } from "../schedule/needs.ts";
import type { Free, NodeFacts, Use } from "../schedule/node-facts.ts";
import type { Candidate } from "../schedule/obstacles.ts";
import type { Reservation } from "../schedule/reserve.ts";

/** The open attempts of a node; free slots are counted from these, never kept as a number that could leak. */
export type Held = Use & {
  readonly fence: Fence;
  readonly taskId: number;
  readonly jobId: number;
  readonly tags: readonly string[];
  /** On the monotonic clock: when its node should have ended it at the latest. */
  readonly due: number;
};

export const heldOf = (fence: Fence, { id, jobId, weight, demand, tags }: OpenTask, due: number): Held => ({
  fence,
  taskId: id,
  jobId,
  weight,
  demand,
  tags,
  due,
});

/** A task whose claim is on its way to the store. */
type Claimed = Use & Pick<Held, "tags">;

export type Connection = { readonly send: (message: CoordinatorMessage) => void; readonly close: () => void };

type Entry = {
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
  /** Fences of held attempts whose end is being written: what they use may be claimed in the same commit. */
  readonly leaving: Set<string>;
  /** What these leave, until one of them changes. */
  free: Free | undefined;
};

export type Registry = ReturnType<typeof createRegistry>;

/** The nodes as they are now: who is connected, when it was heard, what it runs. */
export const createRegistry = (limits: { lateMs: number; lostMs: number }) => {
  const entries = new Map<number, Entry>();
  let reservations: ReadonlyMap<number, Reservation> = new Map();

  const offerOf = (entry: Entry): Offer => ({
    node: entry.facts,
    free: freeIn(entry),
    reservation: reservations.get(entry.row.id),
  });

  /** Every change of what a node has goes through here: what it leaves is counted anew then. */
  const change = (nodeId: number, fn: (entry: Entry) => unknown): void => {
    const entry = entries.get(nodeId);
    if (!entry) return;
    fn(entry);
    entry.free = undefined;
  };

  const put = (row: NodeRow, now: number): Entry => {
    const known = entries.get(row.id);
    const facts = factsOf(row);
    if (known) return Object.assign(known, { row, facts, free: undefined });
    const nothing = { held: new Map(), claimed: new Map(), leaving: new Set<string>(), free: undefined };
    const entry: Entry = { row, facts, ...alone, lastHeard: now, ...nothing };
    entries.set(row.id, entry);
    return entry;
  };

  return {
    put: (row: NodeRow, now: number): void => {
      put(row, now);
    },
    /** A second connection of one identity takes the place of the first, which is closed. */
    connect: (row: NodeRow, connection: Connection, now: number, instance?: string): void => {
      const entry = put(row, now);
      entry.instance = instance;
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
    /** Whether another agent of this identity is connected, and was heard just now. */
    hasTwin: (nodeId: number, instance: string | undefined, now: number): boolean => {
      const entry = entries.get(nodeId);
      if (!entry?.connection || instance === undefined || entry.instance === undefined) return false;
      return entry.instance !== instance && presenceOf(now - entry.lastHeard, limits) === "online";
    },
    /** False where it was barred before, or is not there. */
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
    /** The farm knows it no more; its connection is the caller's to close. */
    remove: (nodeId: number): Connection | undefined => {
      const connection = entries.get(nodeId)?.connection;
      entries.delete(nodeId);
      return connection;
    },
    /** What stands still does not run out of time: its attempts are waited for as much longer. */
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
    claim: (nodeId: number, taskId: number, use: Claimed): void => {
      change(nodeId, ({ claimed }) => claimed.set(taskId, use));
    },
    unclaim: (nodeId: number, taskId: number): void => {
      change(nodeId, ({ claimed }) => claimed.delete(taskId));
    },
    /** The claim has become an attempt: counted twice, it would keep a free slot from the next task. */
    hold: (nodeId: number, attempt: Held): void => {
      change(nodeId, ({ held, claimed }) => {
        claimed.delete(attempt.taskId);
        held.set(fenceKey(attempt.fence), attempt);
      });
    },
    release: (nodeId: number, fence: Fence): void => {
      change(nodeId, ({ held, leaving }) => {
        held.delete(fenceKey(fence));
        leaving.delete(fenceKey(fence));
      });
    },
    /** Within the commit that ends the attempt. */
    letGo: (nodeId: number, fence: Fence): void => {
      change(nodeId, ({ leaving }) => leaving.add(fenceKey(fence)));
    },
    /** That commit came to nothing. */
    keep: (nodeId: number, fence: Fence): void => {
      change(nodeId, ({ leaving }) => leaving.delete(fenceKey(fence)));
    },
    isHeld: (nodeId: number, fence: Fence): boolean => entries.get(nodeId)?.held.has(fenceKey(fence)) ?? false,
    /** The attempt as the node holds it. */
    heldAs: (nodeId: number, fence: Fence): Held | undefined => entries.get(nodeId)?.held.get(fenceKey(fence)),
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
        if (worksNow(entry)) yield { nodeId: entry.row.id, offer: offerOf(entry) };
      }
    },
    /** Nodes that are kept free, each for tasks of one kind of needs. */
    reservations: (): ReadonlyMap<number, Reservation> => reservations,
    keepFree: (wanted: ReadonlyMap<number, Reservation>): void => {
      reservations = wanted;
    },
    /** Every node of the farm with what it could take, whether it works or not. */
    candidates: (wallOf = (moment: number) => moment): Candidate[] =>
      [...entries.values()].map((entry) => {
        const { state, health, profile } = entry.row;
        return {
          name: profile.name,
          isConnected: entry.connection !== undefined,
          owner: entry.standing?.takes === false ? entry.standing.why : undefined,
          state,
          health: { state: health.state, until: new Date(wallOf(health.until)).toISOString() },
          busy: entry.held.size + entry.claimed.size,
          offer: offerOf(entry),
        };
      }),
    /** Tasks with this tag that run, or are about to. */
    countRunning: (tag: string): number => {
      let count = 0;
      for (const entry of entries.values()) {
        for (const { tags } of usesOf(entry)) if (tags.includes(tag)) count += 1;
      }
      return count;
    },
    /** Ids of the nodes that work and are trusted, without this one. */
    othersAtWork: (nodeId: number): number[] =>
      [...entries.values()]
        .filter((entry) => worksNow(entry) && entry.row.id !== nodeId && entry.row.health.state === "sound")
        .map(({ row }) => row.id),
    /** Whether any enrolled node, connected or not, could ever serve these needs. */
    someoneCould: (needs: Needs): boolean => [...entries.values()].some(({ facts }) => canServe(facts, needs)),
    /** Whether a node that works could serve them, other than those that they avoid. */
    hasOthers: (needs: Needs): boolean =>
      [...entries.values()].some(
        (entry) => worksNow(entry) && !needs.avoids.includes(entry.row.id) && canServe(entry.facts, needs),
      ),
    closeAll: (): void => {
      for (const { connection } of entries.values()) connection?.close();
    },
  };
};

const alone = {
  connection: undefined,
  standing: undefined,
  suspendedSince: undefined,
  instance: undefined,
  isBarred: false,
};

const worksNow = ({ row, connection, standing }: Entry): boolean =>
  connection !== undefined && standing?.takes !== false && row.state === "active" && row.health.state !== "quarantined";

/** On probation a node has room for one task in all. */
const freeIn = (entry: Entry): Free => {
  entry.free ??= countFree(entry);
  return entry.free;
};

const countFree = (entry: Entry): Free => {
  const { row, facts } = entry;
  const uses = usesOf(entry);
  const free = freeOf(facts, uses);
  if (row.health.state !== "probation") return free;
  const isTried = uses.length > 0;
  return { ...free, slots: isTried ? 0 : free.slots, light: isTried ? 0 : free.light };
};

const usesOf = ({ held, leaving, claimed }: Entry): Claimed[] => {
  const staying = [...held].filter(([key]) => !leaving.has(key)).map(([, attempt]) => attempt);
  return [...staying, ...claimed.values()];
};

const factsOf = ({ id, tags, slots, group, profile: { tools, machine } }: NodeRow): NodeFacts => ({
  id,
  tags: new Set([...tags, ...(group?.provided_tags ?? []), ...(group?.mandatory_tags ?? [])]),
  mandatory: group?.mandatory_tags ?? [],
  capabilities: new Set(tools.capabilities),
  capacity: { slots, cores: machine.cores, memory: machine.memory, disk: machine.disk, gpus: machine.gpus ?? 0 },
});
