import { z } from "zod";

/** What lies in one folder that nodes may read, as the coordinator's own machine sees it. */
export const folderListing = z.strictObject({
  /** Empty: the folders that may be entered. */
  path: z.string(),
  parent: z.string().nullable(),
  entries: z.array(
    z.strictObject({ name: z.string(), path: z.string(), isFolder: z.boolean(), size: z.number().nullable() }),
  ),
  /** More lies there than is listed. */
  isCut: z.boolean(),
});
export type FolderListing = z.output<typeof folderListing>;
