/**
 * Moments between which a crash of the coordinator must leave nothing wrong, in the order of an attempt's life: a task is
 * chosen · its claim is written · and durable · and sent; the node has begun; it asks to publish · its intent is durable ·
 * and granted; it reports · that is durable · and answered. Tests end the process at each of them; it passes through.
 */
export const checkpointNames = [
  "chosen",
  "claiming",
  "claimed",
  "assigned",
  "started",
  "asked",
  "granting",
  "granted",
  "told",
  "reported",
  "taking",
  "taken",
  "answered",
] as const;
export type CheckpointName = (typeof checkpointNames)[number];

export type Checkpoint = (name: CheckpointName) => void;

export const passThrough: Checkpoint = () => undefined;
