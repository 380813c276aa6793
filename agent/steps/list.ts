import type { ListedFile } from "../../shared/file-selection.ts";
import { listingParts } from "../../shared/results/listing.ts";
import type { Performer } from "./step.ts";

export const performList: Performer<"list"> = async ({ id, folder, selection }, context) => {
  const { resolver, signal, log, keepResult } = context;
  const files: ListedFile[] = [];
  for await (const file of resolver.list({ folder, selection }, signal)) files.push(file);
  files.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  log.line(`${folder}: ${files.length} files are meant`);
  for (const value of listingParts(files)) {
    keepResult(value.part === 0 ? id : `${id}_${value.part}`, { kind: "listing", value });
  }
  return undefined;
};
