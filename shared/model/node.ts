import { z } from "zod";
import { battery, lendStates, nodeLoad } from "../lending/lending.ts";
import { actionNote } from "../people/audit.ts";
import { enrolledStates, nodeHealths, nodeStates, presences } from "../state/node.ts";

/** A machine of the farm as the API and pages show it. */
export const node = z.strictObject({
  id: z.string(),
  name: z.string(),
  state: z.enum(enrolledStates),
  presence: z.enum(presences),
  /**
   * Whether the farm trusts it with work; a quarantine ends automatically, or when an operator makes the node active.
   */
  health: z.strictObject({ state: z.enum(nodeHealths), until: z.string().nullable(), why: z.string().nullable() }),
  /** Its own tags, without those of its group. */
  tags: z.array(z.string()),
  /** The compute group it belongs to. */
  group: z.string().nullable(),
  slots: z.number().int(),
  /** Tasks that run there now. */
  running: z.array(z.strictObject({ task_id: z.string(), job_id: z.string(), name: z.string(), progress: z.number() })),
  /** Whether its owner lends it now, as the node reports; null if it has not reported. */
  lending: z
    .strictObject({
      state: z.enum(lendStates),
      why: z.string(),
      until: z.string().nullable(),
      takes: z.boolean(),
      /** Its tasks are suspended. */
      suspended: z.boolean(),
      load: nodeLoad.nullable(),
      battery: battery.nullable(),
    })
    .nullable(),
  platform: z.string(),
  machine: z.strictObject({
    cpu: z.string(),
    cores: z.number(),
    memory: z.number(),
    disk: z.number().optional(),
    gpus: z.number().optional(),
    os: z.string(),
  }),
  /** The agent's version of Mediafarm; null if it has not connected since the coordinator started. */
  version: z.string().nullable(),
  /** How far its clock was ahead of the farm's when it connected, in milliseconds; null if unknown. */
  clock_offset: z.number().int().nullable(),
  ffmpeg: z.strictObject({ version: z.string(), path: z.string() }).nullable(),
  roots: z.array(z.string()),
  mounts: z.array(z.strictObject({ prefix: z.string(), folder: z.string() })),
  enrolled: z.string(),
  last_seen: z.string(),
});
export type Node = z.output<typeof node>;

export const nodeUpdate = z.strictObject({
  state: z.enum(nodeStates).optional(),
  tags: z.array(z.string().min(1).max(100)).max(200).optional(),
  slots: z.number().int().min(0).max(1024).optional(),
  /** Name of a compute group; null: none. */
  group: z.string().min(1).max(200).nullable().optional(),
  /** The reason, for everybody to read. */
  note: actionNote,
});
