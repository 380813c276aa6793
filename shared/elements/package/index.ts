import { defineUnperformed } from "../element.ts";
import { packagePayload } from "./schema.ts";

export const packager = defineUnperformed({ kind: "package", title: "Package", payload: packagePayload });
