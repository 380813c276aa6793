/**
 * Points at which a crash of the coordinator must do no harm, in the order of an attempt's life: a task is chosen · its
 * claim is written · durable · sent; the node has begun; it asks to publish · its intent is durable · granted; it
 * reports · the report is durable · answered. Tests kill the process at each of them; in production they do nothing.
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
