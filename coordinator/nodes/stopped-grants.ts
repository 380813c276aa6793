import type { TaskRow } from "../store/rows.ts";
import type { Nodes } from "./nodes.ts";

/**
 * A granted attempt that was stopped may still publish where its node could not be told. A task that runs again waits
 * until that node was heard long enough after it was told, came back, or has been silent for `commitWaitMs`.
 */

type Parts = Pick<Nodes, "registry" | "clock" | "config">;

/** The node whose granted attempt at this task was stopped; undefined if the last attempt ended otherwise. */
export const stoppedPublisher = ({
  state,
  intent,
  failure,
  node_id,
}: Pick<TaskRow, "state" | "intent" | "failure" | "node_id">): number | undefined => {
  const isStopped = (state === "failed" || state === "delayed") && failure?.cause === "cancelled";
  return isStopped && intent && node_id !== null ? node_id : undefined;
};

/** Whether the node may not have heard that what it publishes was stopped. */
export const mayStillPublish = ({ registry, clock, config }: Parts, nodeId: number): boolean => {
  const now = clock.monotonic();
  if (registry.isSilentFor(nodeId, now, config.commitWaitMs)) return false;
  return !registry.isConnected(nodeId) || registry.heardState(nodeId, now) !== "online";
};

/** How many milliseconds such a node is waited for at most, if it is not heard again. */
export const publisherWaitMs = ({ registry, clock, config }: Parts, nodeId: number): number =>
  Math.max(0, config.commitWaitMs - registry.silentMs(nodeId, clock.monotonic()));

/**
 * In milliseconds: a node that counts as heard so long after it was told has heard it, or has connected anew. An agent
 * hangs up after three heartbeats without a word from its coordinator.
 */
export const toldAfterMs = ({ heartbeatMs, lateMs }: Nodes["config"]): number => 3 * heartbeatMs + lateMs;
