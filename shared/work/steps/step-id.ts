import { z } from "zod";

/** Unique within a task's work. */
export const stepId = z.string().min(1).max(200);
