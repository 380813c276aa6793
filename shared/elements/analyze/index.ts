import { defineUnperformed } from "../element.ts";
import { analyzePayload } from "./schema.ts";

export const analyze = defineUnperformed({ kind: "analyze", title: "Analyze", payload: analyzePayload });
