import { defineUnperformed } from "../element.ts";
import { folderEnumPayload } from "./schema.ts";

export const folderEnum = defineUnperformed({ kind: "folder_enum", title: "Folder Enum", payload: folderEnumPayload });
