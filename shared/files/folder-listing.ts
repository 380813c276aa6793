import { z } from "zod";

/** The contents of one folder that nodes may read, as seen by the coordinator's own machine. */
export const folderListing = z.strictObject({
  /** Empty: the folders that may be browsed. */
  path: z.string(),
  parent: z.string().nullable(),
  entries: z.array(
    z.strictObject({ name: z.string(), path: z.string(), isFolder: z.boolean(), size: z.number().nullable() }),
  ),
  /** The folder contains more than is listed. */
  isCut: z.boolean(),
});
export type FolderListing = z.output<typeof folderListing>;
