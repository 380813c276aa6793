import { z } from "zod";
import { mediaFacts } from "./asset.ts";

/** One file that a job made, as a program finds it. */
export const jobOutput = z.strictObject({
  uri: z.string(),
  size: z.number().nullable(),
  /** When it was last changed, where its storage says so. */
  modified: z.string().nullable(),
  /** `algorithm:hex`, where it is known. */
  checksum: z.string().nullable(),
  element_uid: z.string(),
  task_id: z.string(),
  /** Its place among the task's files: with the task's id it names the file. */
  position: z.number().int(),
  version: z.string(),
  facts: mediaFacts.nullable(),
  /** The facts in one line. */
  summary: z.string(),
});
export type JobOutput = z.output<typeof jobOutput>;
