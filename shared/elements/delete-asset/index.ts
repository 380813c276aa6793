import { defineUnperformed } from "../element.ts";
import { deleteAssetPayload } from "./schema.ts";

export const deleteAsset = defineUnperformed({
  kind: "delete_asset",
  title: "Delete Asset",
  payload: deleteAssetPayload,
});
