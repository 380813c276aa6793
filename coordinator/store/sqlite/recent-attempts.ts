import type { RecentAttempts } from "../recent-attempts.ts";
import type { Connections } from "./connections.ts";

/** On the reader thread. */
export const createRecentAttempts = ({ reader }: Connections): RecentAttempts => ({
  since: (from, nodeId) => reader.shaped("recentAttempts", from, nodeId),
  samples: (most) => reader.shaped("samples", most),
  openWork: (jobIds, most) => reader.shaped("openWork", jobIds, most),
  pendingKinds: (jobIds) => reader.shaped("pendingKinds", jobIds),
});
