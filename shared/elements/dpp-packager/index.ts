import { defineUnperformed } from "../element.ts";
import { dppPackagerPayload } from "./schema.ts";

export const dppPackager = defineUnperformed({
  kind: "dpp_packager",
  title: "DPP Packager",
  payload: dppPackagerPayload,
});
