import { defineUnperformed } from "../element.ts";
import { notifyPayload } from "./schema.ts";

export const notify = defineUnperformed({ kind: "notify", title: "Notify", payload: notifyPayload });
