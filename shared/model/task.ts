import { z } from "zod";

/** The API's fields of a task; a client selects fields by name. */
export const taskInfo = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  status: z.enum(["queued", "running", "completed", "failed"]),
  progress: z.number().int().min(0).max(100),
  creation_time: z.string(),
  start_time: z.string().nullable(),
  end_time: z.string().nullable(),
  machine_uid: z.string().nullable(),
  error: z.string().nullable(),
  /** Weaker guarantees because of its targets' storage. Absent: none. */
  warnings: z.array(z.string()).optional(),
});
export type TaskInfo = z.output<typeof taskInfo>;
export const taskInfoFields = taskInfo.keyof().options;
