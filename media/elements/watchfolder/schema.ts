import { z } from "zod";
import { looseBoolean, looseInteger } from "../../../shared/basics/loose-values.ts";
import { fileSelection } from "../../../shared/files/file-selection.ts";
import { location } from "../../../shared/files/location.ts";

export const watchfolderPayload = z.looseObject({
  source: location,
  settings: z
    .looseObject({
      ...fileSelection,
      /** By which files that were seen are remembered, also by another job. */
      key: z.string().max(200).optional(),
      watch_items_persistence: z.enum(["tracked", "untracked"]).default("tracked"),
      interval_sec: looseInteger(1, 86_400).default(300),
      process_existing_files: looseBoolean().default(false),
    })
    .prefault({}),
});
export type WatchfolderPayload = z.output<typeof watchfolderPayload>;
