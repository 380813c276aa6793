import { defineElement } from "../element.ts";
import { onlyRead } from "../read-only-settings.ts";
import { compileDelete, planDelete } from "./plan.ts";
import { deleteAssetPayload } from "./schema.ts";

export const deleteAsset = defineElement({
  kind: "delete_asset",
  title: "Delete Asset",
  effort: 1,
  payload: deleteAssetPayload,
  conflicts: ({ location }) => onlyRead(location, ["location"], "nothing is written"),
  plan: planDelete,
  compile: (_task, context) => compileDelete(context),
});
