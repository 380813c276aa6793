import { defineUnperformed } from "../element.ts";
import { qcPayload } from "./schema.ts";

export const qc = defineUnperformed({ kind: "qc", title: "QC", payload: qcPayload });
