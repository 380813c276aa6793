import { defineMachine } from "./machine.ts";

/** The state that an operator set. */
export const nodeStates = ["active", "drain", "paused"] as const;
export type NodeState = (typeof nodeStates)[number];

/** The states of enrolled nodes. pending: it came by a join token with approval; an operator lets it work by making it active. */
export const enrolledStates = [...nodeStates, "pending"] as const;
export type EnrolledState = (typeof enrolledStates)[number];

/** Whether the node is heard: online, late (a heartbeat missed), lost (its work was given to others). */
export const heardStates = ["online", "late", "lost"] as const;
export type HeardState = (typeof heardStates)[number];

/** The same for people and programs. off: it is not heard because it said goodbye, or sleeps with nothing to do. */
export const presences = [...heardStates, "off"] as const;
export type Presence = (typeof presences)[number];

/** The first rule that applies wins. `silentMs` is undefined for a node without a connection. */
export const presenceOf = (silentMs: number | undefined, limits: { lateMs: number; lostMs: number }): HeardState => {
  if (silentMs === undefined || silentMs >= limits.lostMs) return "lost";
  return silentMs >= limits.lateMs ? "late" : "online";
};

export const nodeHealths = ["sound", "quarantined", "probation"] as const;
export type NodeHealth = (typeof nodeHealths)[number];
export type NodeHealthEvent = "distrust" | "breach" | "due" | "succeed" | "fail" | "forgive";

/**
 * Whether the farm trusts a node with work. sound: yes · quarantined: it kept failing while others succeeded, or broke the protocol, and gets
 * no tasks for a while · probation: it gets one task at a time, whose outcome decides.
 */
export const nodeHealthMachine = defineMachine<NodeHealth, NodeHealthEvent>({
  sound: { distrust: "quarantined", breach: "quarantined" },
  quarantined: { due: "probation", forgive: "sound" },
  probation: { succeed: "sound", fail: "quarantined", breach: "quarantined", forgive: "sound" },
});

/** Why a node is quarantined, where the farm decided it by itself: whole sentences, which pages show in their language. */
export const quarantineReasons = {
  distrust: "It kept failing tasks of several jobs while other nodes succeeded",
  fail: "It failed again when it was tried with one task",
} as const;
