import { z } from "zod";

/** What the API tells of a task; a client picks fields by name. */
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
  /** What was promised less of, because the storage of its targets can do less. Absent: nothing. */
  warnings: z.array(z.string()).optional(),
});
export type TaskInfo = z.output<typeof taskInfo>;
export const taskInfoFields = taskInfo.keyof().options;
