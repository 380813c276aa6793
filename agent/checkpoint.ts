/**
 * Moments between which a crash must leave nothing wrong. Tests stop an attempt at each of them and start anew from
 * disk; the agent itself passes through.
 */
export const checkpointNames = ["recorded", "staged", "made", "intended", "granted", "linked", "published", "reported"];
export type CheckpointName = (typeof checkpointNames)[number];

export type Checkpoint = (name: CheckpointName) => Promise<void>;

export const passThrough: Checkpoint = async () => undefined;
