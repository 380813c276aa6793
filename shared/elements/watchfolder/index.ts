import { defineUnperformed } from "../element.ts";
import { watchfolderPayload } from "./schema.ts";

export const watchfolder = defineUnperformed({
  kind: "watchfolder",
  title: "Watchfolder",
  payload: watchfolderPayload,
});
