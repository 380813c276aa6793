import { type Fence, fenceKey } from "../../shared/protocol.ts";
import type { NodeRow } from "../store/rows.ts";
import type { Claimed, Held, NodeEntries, NodeEntry } from "./node-entry.ts";

/** What nodes run, and what is claimed for them. */
export const slotsOf = (entries: NodeEntries) => {
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
