import { z } from "zod";
import { type ListedFile, listedFile } from "../../shared/files/file-selection.ts";
import type { StepResults } from "../../shared/model/step-result.ts";

/** Files of a folder, sorted by address; a long listing continues in the next part. */
export const listing = z.strictObject({ part: z.number().int().nonnegative(), files: z.array(listedFile) });

/** Keeps each part below the maximum size of a result. */
const charactersAPart = 200_000;

/** The files in parts, each of which is one result. */
export const listingParts = (files: readonly ListedFile[]): z.output<typeof listing>[] => {
  const parts: ListedFile[][] = [[]];
  let size = 0;
  for (const file of files) {
    const length = JSON.stringify(file).length + 1;
    if (size + length > charactersAPart) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(file);
    size += length;
  }
  return parts.map((each, part) => ({ part, files: each }));
};

/** All files of a `list` step, in order; undefined if it left no listing. */
export const filesListed = (results: StepResults | undefined): readonly ListedFile[] | undefined => {
  const parts = Object.values(results ?? {}).flatMap(({ kind, value }) => {
    const read = kind === "listing" ? listing.safeParse(value) : undefined;
    return read?.success ? [read.data] : [];
  });
  if (parts.length === 0) return undefined;
  return parts.sort((a, b) => a.part - b.part).flatMap(({ files }) => files);
};
