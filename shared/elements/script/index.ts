import { defineUnperformed } from "../element.ts";
import { scriptPayload } from "./schema.ts";

export const script = defineUnperformed({ kind: "script", title: "Script", payload: scriptPayload });
