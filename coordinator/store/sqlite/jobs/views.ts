import type { JobReads } from "../../job-reads.ts";
import type { Connections } from "../connections.ts";

type JobViews = Pick<JobReads, "outline" | "tasks" | "files" | "findings" | "outputs">;

/** The pages' reads of one job, on the reader thread: it may have many thousand tasks and files. */
export const createJobViews = ({ reader }: Connections): JobViews => ({
  outline: (id) => reader.shaped("outline", id),
  tasks: (id, page) => reader.shaped("tasks", id, page),
  files: (id) => reader.shaped("files", id),
  findings: (id, atMost) => reader.shaped("findings", id, atMost),
  outputs: (id, skip, take) => reader.shaped("outputs", id, skip, take),
});
