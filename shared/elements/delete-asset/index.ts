import { defineElement } from "../element.ts";
import { compileDelete, planDelete } from "./plan.ts";
import { deleteAssetPayload } from "./schema.ts";

export const deleteAsset = defineElement({
  kind: "delete_asset",
  title: "Delete Asset",
  effort: 1,
  payload: deleteAssetPayload,
  plan: planDelete,
  compile: (_task, context) => compileDelete(context),
});
