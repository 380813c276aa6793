import { z } from "zod";
import { addressText, amount } from "../basics/bounds.ts";

/** The contents of one folder that nodes may read, as the node sees it that was asked. */
export const folderListing = z.strictObject({
  /** Empty: the folders that may be browsed. */
  path: addressText,
  parent: addressText.nullable(),
  entries: z
    .array(z.strictObject({ name: addressText, path: addressText, isFolder: z.boolean(), size: amount.nullable() }))
    .max(100_000),
  /** The folder contains more than is listed. */
  isCut: z.boolean(),
});
export type FolderListing = z.output<typeof folderListing>;
