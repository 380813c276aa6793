/** What an operator asked of a node. */
export const nodeStates = ["active", "drain", "paused"] as const;
export type NodeState = (typeof nodeStates)[number];

/** Whether the node is heard: online, late (a heartbeat missed), lost (its work was given away). */
export const presences = ["online", "late", "lost"] as const;
export type Presence = (typeof presences)[number];

/** First rule that holds wins. `silentMs` is undefined for a node that has no connection. */
export const presenceOf = (silentMs: number | undefined, limits: { lateMs: number; lostMs: number }): Presence => {
  if (silentMs === undefined || silentMs >= limits.lostMs) return "lost";
  return silentMs >= limits.lateMs ? "late" : "online";
};
