import { z } from "zod";
import { selection } from "../file-selection.ts";
import { stepId } from "./step-id.ts";

/** Lists the files of a folder. Its results are of kind `listing`: `filesListed` reads them. */
export const listStep = z.strictObject({
  do: z.literal("list"),
  id: stepId,
  /** Address of the folder. */
  folder: z.string().max(4000),
  selection,
});
