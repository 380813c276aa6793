import { listingParts } from "../../../media/results/listing.ts";
import type { ListedFile } from "../../../shared/files/file-selection.ts";
import { untagged } from "../../../shared/files/file-state.ts";
import { sourceError } from "../../../shared/model/failure.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Performer } from "../step.ts";

export const performList: Performer<"list"> = async ({ id, folder, selection, mayBeMissing }, context) => {
  const { resolver, signal, log, keepResult, storageOf } = context;
  const files: ListedFile[] = [];
  for await (const file of resolver.list({ folder, selection }, signal)) {
    if (file.lacks === undefined) files.push(untagged(file));
    else log.line(`${file.uri} is left out: ${file.lacks}`);
  }
  if (files.length === 0 && !mayBeMissing) await refuseMissing(storageOf(folder), folder);
  files.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  log.line(`${folder}: ${files.length} files are meant`);
  for (const value of listingParts(files)) {
    keepResult(value.part === 0 ? id : `${id}_${value.part}`, { kind: "listing", value });
  }
};

const refuseMissing = async (storage: Storage, folder: string): Promise<void> => {
  const seen = await storage.stat(folder);
  if (!seen) throw sourceError(`There is no folder ${folder}`);
  if (seen.isFile) throw sourceError(`${folder} is a file, not a folder`);
};
