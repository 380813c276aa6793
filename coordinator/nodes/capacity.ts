import { canServe } from "../schedule/fit.ts";
import type { Needs } from "../schedule/needs.ts";
import type { Offer, Reservation } from "../schedule/node-facts.ts";
import type { Candidate } from "../schedule/obstacles.ts";
import { type NodeRow, slotsOfNode } from "../store/rows.ts";
import { freeIn, type NodeEntries, type NodeEntry, usesOf, worksNow } from "./node-entry.ts";

/** The capacity of the nodes, for scheduling and for explanations. */
export const createCapacity = (entries: NodeEntries) => {
  let reservations: ReadonlyMap<number, Reservation> = new Map();
  const offerOf = (entry: NodeEntry): Offer => ({
    node: entry.facts,
    free: freeIn(entry),
    reservation: reservations.get(entry.row.id),
  });

  return {
    /** What each connected, active node can take. */
    *offers(): Generator<{ nodeId: number; offer: Offer }> {
      for (const entry of entries.values()) {
        if (worksNow(entry)) yield { nodeId: entry.row.id, offer: offerOf(entry) };
      }
    },
    /** Reserved nodes, each for tasks with one set of needs. */
    reservations: (): ReadonlyMap<number, Reservation> => reservations,
    keepFree: (wanted: ReadonlyMap<number, Reservation>): void => {
      reservations = wanted;
    },
    /** Every node of the farm with its capacity, whether it works or not. */
    candidates: (wallOf = (moment: number) => moment): Candidate[] =>
      [...entries.values()].map((entry) => {
        const { state, health, profile } = entry.row;
        const { standing } = entry;
        return {
          name: profile.name,
          isConnected: entry.connection !== undefined,
          owner: standing?.takes === false ? { state: standing.state, why: standing.why } : undefined,
          state,
          health: { state: health.state, until: new Date(wallOf(health.until ?? 0)).toISOString() },
          busy: entry.running.size + entry.claimed.size,
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
    /** Ids of working, trusted nodes, except this one. */
    othersAtWork: (nodeId: number): number[] =>
      [...entries.values()]
        .filter((entry) => worksNow(entry) && entry.row.id !== nodeId && entry.row.health.state === "sound")
        .map(({ row }) => row.id),
  };
};

/** Which nodes could serve some needs. */
export const createAbilities = (entries: NodeEntries) => ({
  /**
   * Whether any enrolled node, connected or not, could ever serve these needs. One that waits for approval is waited for as
   * well: after a restore all may.
   */
  someoneCould: (needs: Needs): boolean => [...entries.values()].some(({ facts }) => canServe(facts, needs)),
  /** The nodes with slots that could serve these needs: where some of them work now, those alone. */
  ableTo: (needs: Needs): NodeRow[] => {
    const isAble = ({ row, facts }: NodeEntry) => slotsOfNode(row) > 0 && canServe(facts, needs);
    const able = [...entries.values()].filter(isAble);
    const working = able.filter(worksNow);
    return (working.length > 0 ? working : able).map(({ row }) => row);
  },
  /** Whether a working node could serve them, except those that the task avoids. */
  hasOthers: (needs: Needs): boolean =>
    [...entries.values()].some(
      (entry) => worksNow(entry) && !needs.avoids.includes(entry.row.id) && canServe(entry.facts, needs),
    ),
});
