import { z } from "zod";
import { looseInteger } from "../../../shared/basics/loose-values.ts";
import { fileSelection } from "../../../shared/files/file-selection.ts";
import { location } from "../../../shared/files/location.ts";

export const folderEnumPayload = z.looseObject({
  source: location,
  settings: z
    .looseObject({
      ...fileSelection,
      /** Files that make one batch of what follows. */
      files_per_job: looseInteger(1, 100_000).default(1),
    })
    .prefault({}),
});
export type FolderEnumPayload = z.output<typeof folderEnumPayload>;
