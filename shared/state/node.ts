import { defineMachine } from "./machine.ts";

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

export const nodeHealths = ["sound", "quarantined", "probation"] as const;
export type NodeHealth = (typeof nodeHealths)[number];
export type NodeHealthEvent = "distrust" | "due" | "succeed" | "fail" | "forgive";

/**
 * Whether the farm trusts a node with work. sound: yes · quarantined: it kept failing where others did not, and is given
 * nothing for a while · probation: it is given one task at a time, and that decides.
 */
export const nodeHealthMachine = defineMachine<NodeHealth, NodeHealthEvent>({
  sound: { distrust: "quarantined" },
  quarantined: { due: "probation", forgive: "sound" },
  probation: { succeed: "sound", fail: "quarantined", forgive: "sound" },
});
