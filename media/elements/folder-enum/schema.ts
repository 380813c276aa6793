import { z } from "zod";
import { fileSelection } from "../../file-selection.ts";
import { location } from "../../location.ts";
import { looseInteger } from "../../loose.ts";

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
