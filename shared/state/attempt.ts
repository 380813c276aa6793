import { defineMachine } from "./machine.ts";

export type AttemptState = "assigned" | "running" | "committing" | "published" | "failed" | "lost" | "cancelled";
export type AttemptEvent = "start" | "grant" | "publish" | "fail" | "lose" | "cancel";

/**
 * assigned: sent to a node · running: the node has begun · committing: its outputs are verified and it may publish them
 * · published: done, even if there was nothing to publish · failed, lost (its node is lost), cancelled: final.
 */
export const attemptMachine = defineMachine<AttemptState, AttemptEvent>({
  assigned: {
    start: "running",
    grant: "committing",
    publish: "published",
    fail: "failed",
    lose: "lost",
    cancel: "cancelled",
  },
  running: { grant: "committing", publish: "published", fail: "failed", lose: "lost", cancel: "cancelled" },
  committing: { grant: "committing", publish: "published", fail: "failed", lose: "lost", cancel: "cancelled" },
  published: {},
  failed: {},
  lost: {},
  cancelled: {},
});
