import { AppError } from "../../shared/basics/errors.ts";
import type { FolderListing } from "../../shared/files/folder-listing.ts";
import { listNodeFolder, nodesWithFiles, type Parts } from "./node-files.ts";

/** The most nodes that are asked for a folder which no node in particular was named for. */
const mostAsked = 20;

/**
 * The folders that connected nodes lend, or the contents of one, as the first node lists it that has it. The coordinator
 * looks at nothing itself.
 */
export const listFolder = async (farm: Parts, path: string): Promise<FolderListing> => {
  const nodes = nodesWithFiles(farm).slice(0, mostAsked);
  if (path === "")
    return mergeTops(await Promise.all(nodes.map((id) => listNodeFolder(farm, id, "").catch(() => undefined))));
  for (const id of nodes) {
    const listing = await listNodeFolder(farm, id, path).catch(() => undefined);
    if (listing) return listing;
  }
  throw new AppError("NOT_FOUND", `${path} is not a folder that a connected node may read`);
};

const mergeTops = (listings: readonly (FolderListing | undefined)[]): FolderListing => {
  const byPath = new Map(listings.flatMap((each) => each?.entries ?? []).map((entry) => [entry.path, entry]));
  const entries = [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { path: "", parent: null, entries, isCut: listings.some((each) => each?.isCut) };
};
