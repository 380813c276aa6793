import { z } from "zod";
import { selection } from "../../files/file-selection.ts";
import { stepId } from "./step-id.ts";

/** Lists the files of a folder. Its results are of kind `listing`: `filesListed` reads them. */
export const listStep = z.strictObject({
  do: z.literal("list"),
  id: stepId,
  /** Address of the folder. */
  folder: z.string().max(4000),
  selection,
  /** A folder that is not there holds no files, as in object storage; otherwise it is a failure. */
  mayBeMissing: z.boolean().optional(),
});
