import { z } from "zod";

/** What a node found out while it worked and people should know: sentences for the job's warnings. */
export const told = z.array(z.string().min(1).max(1000)).max(20);
