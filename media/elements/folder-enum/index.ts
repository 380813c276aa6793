import { lacksRegex, selectionOf } from "../../../shared/files/file-selection.ts";
import { folderUri } from "../../../shared/files/location.ts";
import { hasFolders } from "../../../shared/files/storage.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { readResult } from "../../results/index.ts";
import { defineElement } from "../element.ts";
import { onlyRead } from "../read-only-settings.ts";
import { type FolderEnumPayload, folderEnumPayload } from "./schema.ts";

/** Lists the files of a folder; what follows on success runs once for each batch of them. */
export const folderEnum = defineElement<FolderEnumPayload, null>({
  kind: "folder_enum",
  title: "Folder Enum",
  effort: 1,
  payload: folderEnumPayload,
  conflicts: ({ source, settings }) => [
    ...(lacksRegex(settings)
      ? [{ path: ["settings", "regex"], message: "is required when pattern_matching is regex", isStrict: true }]
      : []),
    ...onlyRead(source, ["source"], "the folder is only read"),
  ],
  plan: ({ uid, payload }) => ({
    tasks: [{ uid, name: `list ${stepOf(payload).folder}`, requires: [], weight: "light", detail: null }],
  }),
  compile: (_task, { payload }) => ({ assets: {}, outputs: {}, steps: [stepOf(payload)] }),
  batches: ({ settings }, results) => {
    const { files = 0 } = readResult("listed", results[stepId]) ?? {};
    return { files, size: settings.files_per_job };
  },
});

const stepId = "list";

const stepOf = ({ source, settings }: FolderEnumPayload): StepOf<"list"> => {
  const folder = folderUri(source, undefined, "source");
  return { do: "list", id: stepId, folder, selection: selectionOf(settings), mayBeMissing: !hasFolders(folder) };
};
