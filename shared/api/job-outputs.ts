import { z } from "zod";
import { mediaFacts } from "../model/asset.ts";

/** One output file of a job, as programs see it. */
export const jobOutput = z.strictObject({
  uri: z.string(),
  size: z.number().nullable(),
  /** Its modification time, if its storage reports one. */
  modified: z.string().nullable(),
  /** `sha256:hex`; null where the file was copied without being read, or is one of very many. */
  checksum: z.string().nullable(),
  element_uid: z.string(),
  task_id: z.string(),
  /** Its position among the task's files; together with the task's id it identifies the file. */
  position: z.number().int(),
  version: z.string(),
  facts: mediaFacts.nullable(),
  /** The facts in one line. */
  summary: z.string(),
});
export type JobOutput = z.output<typeof jobOutput>;
