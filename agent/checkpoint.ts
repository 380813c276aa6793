/**
 * Points at which a crash must do no harm. Tests stop an attempt at each of them and restart from disk; in production
 * they do nothing.
 */
export const checkpointNames = ["recorded", "staged", "made", "intended", "granted", "linked", "published", "reported"];
export type CheckpointName = (typeof checkpointNames)[number];

export type Checkpoint = (name: CheckpointName) => Promise<void>;

export const passThrough: Checkpoint = async () => undefined;
