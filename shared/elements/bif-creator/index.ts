import { defineUnperformed } from "../element.ts";
import { bifCreatorPayload } from "./schema.ts";

export const bifCreator = defineUnperformed({ kind: "bif_creator", title: "BIF Creator", payload: bifCreatorPayload });
