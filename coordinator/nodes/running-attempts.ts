import { type Fence, fenceKey } from "../../shared/protocol/messages.ts";
import type { NodeRow } from "../store/rows.ts";
import { type Claimed, freeIn, type NodeEntries, type NodeEntry, type RunningAttempt } from "./node-entry.ts";

/** What nodes run, and what is claimed for them. */
export const createRunningAttempts = (entries: NodeEntries) => {
  /** Every change of a node's load goes through here, which counts its remaining capacity anew. */
  const change = (nodeId: number, fn: (entry: NodeEntry) => unknown): void => {
    const entry = entries.get(nodeId);
    if (!entry) return;
    fn(entry);
    entry.free = undefined;
  };
  const heldAs = (nodeId: number, fence: Fence): RunningAttempt | undefined =>
    entries.get(nodeId)?.running.get(fenceKey(fence));
  return {
    /** False if it was barred before, or does not exist. */
    bar: (nodeId: number): boolean => {
      const entry = entries.get(nodeId);
      if (!entry || entry.isRevoking) return false;
      entry.isRevoking = true;
      return true;
    },
    unbar: (nodeId: number): void => {
      const entry = entries.get(nodeId);
      if (entry) entry.isRevoking = false;
    },
    isBarred: (nodeId: number): boolean => entries.get(nodeId)?.isRevoking ?? true,
    claim: (nodeId: number, taskId: number, use: Claimed): void => {
      change(nodeId, ({ claimed }) => claimed.set(taskId, use));
    },
    isClaimed: (nodeId: number, taskId: number): boolean => entries.get(nodeId)?.claimed.has(taskId) ?? false,
    unclaim: (nodeId: number, taskId: number): void => {
      change(nodeId, ({ claimed }) => claimed.delete(taskId));
    },
    /** Attempts have come back whose ends were undone, and claims that took their slots are not decided yet. */
    isOverbooked: (nodeId: number): boolean => {
      const entry = entries.get(nodeId);
      if (!entry) return false;
      const { slots, light } = freeIn(entry);
      return slots < 0 || light < 0;
    },
    /** The claim has become an attempt: counted twice, it would block a free slot for the next task. */
    addRunning: (nodeId: number, attempt: RunningAttempt): void => {
      change(nodeId, ({ running, claimed }) => {
        claimed.delete(attempt.taskId);
        running.set(fenceKey(attempt.fence), attempt);
      });
    },
    removeRunning: (nodeId: number, fence: Fence): void => {
      change(nodeId, ({ running }) => running.delete(fenceKey(fence)));
    },
    isHeld: (nodeId: number, fence: Fence): boolean => heldAs(nodeId, fence) !== undefined,
    /** The node's entry for the attempt. */
    heldAs,
    /** All open attempts, each with its node. */
    running: (): { readonly node: NodeRow; readonly held: RunningAttempt }[] =>
      [...entries.values()].flatMap(({ row: node, running }) =>
        [...running.values()].map((each) => ({ node, held: each })),
      ),
    runningOn: (nodeId: number): RunningAttempt[] => [...(entries.get(nodeId)?.running.values() ?? [])],
  };
};
