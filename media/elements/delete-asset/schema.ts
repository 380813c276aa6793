import { z } from "zod";
import { location } from "../../../shared/files/location.ts";
import { sourcePayload } from "../source/schema.ts";

/** `config` deletes what the payload names, `workflow_document` the inputs. */
export const deleteAssetPayload = z.looseObject({
  asset_selector: z.enum(["config", "workflow_document"]).optional(),
  asset: sourcePayload.optional(),
  location: location.optional(),
  /** Repeats the folder's name; without it no folder is deleted. */
  delete_folder_acknowledgement: z.string().max(1000).optional(),
});
export type DeleteAssetPayload = z.output<typeof deleteAssetPayload>;
